"""What a server answers to what cannot be done: a status and a sentence, which is said in the reader's language."""

from savanna.language import Language


class Refusal(Exception):  # noqa: N818 -- it is an answer, not a fault
    """Something that is not done, and why: `status` is that of HTTP, `text` an English text of the catalogues."""

    def __init__(self, status: int, text: str, **values: object) -> None:
        super().__init__(text.format(**values))
        self.status = status
        self.text = text
        self.values = values

    def said(self, language: Language) -> str:
        """Return the sentence in a language."""
        return language.say(self.text, **self.values)
