"""`savanna rules`: how the game is played."""

from savanna.cli.app import app, examples

WIDEST = 100


@app.command(
    help="Print the rules of Savanna Ten, and which of them are published and which are assumed.",
    short_help="Print the rules: what is published, and what is assumed.",
    epilog=examples("savanna rules", "savanna rules | less"),
)
def rules() -> None:
    """Do what `savanna rules` does."""
    from importlib import resources

    from savanna.cli.terminal import Terminal

    text = resources.files("savanna").joinpath("rules.md").read_text(encoding="utf-8")
    terminal = Terminal()
    if terminal.writes and terminal.coloured:
        from rich.console import Console
        from rich.markdown import Markdown

        console = Console()
        if console.encoding.lower().startswith("utf"):
            console.print(Markdown(text), width=min(console.width, WIDEST))
            return
    terminal.say(text.rstrip("\n"))
