"""What Gymnasium keeps of how an environment was made."""

from typing import Any

import gymnasium
import pytest
from gymnasium.envs.registration import EnvSpec

import savanna as sv
import savanna.envs.gymnasium
from savanna import players


class Shy:
    """A player of one's own."""

    def choose(self, view: sv.View) -> sv.Move:
        return view.legal_moves()[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shy)

    __hash__ = None  # type: ignore[assignment]


OBJECTS = {
    "rules": (sv.Rules(players=3, mice=True), "3p,mice"),
    "opponent": ([sv.players.Greedy(), sv.players.Champion(iterations=50)], ["greedy", "champion:50"]),
}


@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
def test_specs_hold_texts(make: Any) -> None:
    """An environment that was made of objects is kept as JSON, and made of it again."""
    given = {name: it for name, (it, _) in OBJECTS.items()}
    spec = make("Savanna-v0", **given).spec
    assert {name: spec.kwargs[name] for name in OBJECTS} == {name: text for name, (_, text) in OBJECTS.items()}
    again = EnvSpec.from_json(spec.to_json())
    assert again.kwargs["rules"] == "3p,mice"
    if make is gymnasium.make:
        assert gymnasium.make(again).unwrapped.layout.rules == given["rules"]
    own = Shy()
    assert make("Savanna-v0", opponent=own, rules=given["rules"]).spec.kwargs == spec.kwargs | {"opponent": own}


@pytest.mark.parametrize(
    "text",
    ["random", "greedy", "flat", "flat:20", "soft-greedy:8", "ismcts:0.25s", "champion", "champion:50", "champion:2s"],
)
def test_every_text_of_a_player_reads_back(text: str) -> None:
    written = players.written(players.parse(text))
    assert written is not None
    assert players.parse(written) == players.parse(text)


@pytest.mark.parametrize(
    "player", [sv.players.Greedy(seed=1), sv.players.Champion(iterations=9, threads=2), Shy(), None]
)
def test_what_no_text_stands_for(player: object) -> None:
    assert players.written(player) is None
