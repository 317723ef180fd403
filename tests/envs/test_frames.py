"""Pictures of the environments as pixels, and arguments as texts that Gymnasium can keep."""

import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec

import savanna as sv
import savanna.envs.gymnasium as adapter
from savanna import render
from savanna.envs.pettingzoo import env
from tests.support.renderers import draw
from tests.support.tools import require_library

SHAPE = (720, 960, 3)


@pytest.fixture(autouse=True)
def rasteriser() -> None:
    for name in ("resvg_py", "PIL"):
        require_library(name, "frames")


def act(info: dict[str, Any]) -> int:
    return int(np.flatnonzero(info["action_mask"])[0])


def test_a_frame_is_the_picture_of_the_view() -> None:
    game = gymnasium.make(adapter.ENV_ID, rules="3p,mice", opponent="greedy", render_mode="rgb_array")
    _, info = game.reset(seed=3)
    frames: list[Any] = []
    for _ in range(3):
        view = game.unwrapped._games.view(0)  # type: ignore[attr-defined]
        frames.append(game.render())
        assert (frames[-1].shape, frames[-1].dtype) == (SHAPE, np.uint8)
        assert np.array_equal(frames[-1], draw("resvg", render.svg(view, theme="light")))
        *_, info = game.step(act(info))
    assert not np.array_equal(frames[0], frames[1])
    assert len({frame.tobytes() for frame in frames}) == 3


def test_pettingzoo_and_many_games_draw_as_well() -> None:
    game = env(render_mode="rgb_array")
    game.reset(seed=1)
    assert game.render().shape == SHAPE
    games = gymnasium.make_vec(adapter.ENV_ID, num_envs=2, render_mode="rgb_array")
    games.reset(seed=1)
    frames: Any = games.render()
    assert [frame.shape for frame in frames] == [SHAPE] * 2


def test_wrappers_of_gymnasium_take_the_frames() -> None:
    game = gymnasium.wrappers.AddRenderObservation(gymnasium.make(adapter.ENV_ID, render_mode="rgb_array"))
    observation, info = game.reset(seed=1)
    assert observation.shape == SHAPE
    kept: Any = gymnasium.wrappers.RenderCollection(gymnasium.make(adapter.ENV_ID, render_mode="rgb_array"))
    _, info = kept.reset(seed=1)
    kept.step(act(info))
    assert [frame.shape for frame in kept.render()] == [SHAPE] * 2


def test_a_video_is_recorded(tmp_path: Any) -> None:
    require_library("moviepy", "pictures")
    game: Any = gymnasium.wrappers.RecordVideo(
        gymnasium.make(adapter.ENV_ID, render_mode="rgb_array"), str(tmp_path / "videos")
    )
    _, info = game.reset(seed=1)
    over = False
    while not over:
        *_, over, _, info = game.step(act(info))
    game.close()
    (video,) = tmp_path.glob("videos/*.mp4")
    assert video.stat().st_size > 10_000


def test_people_watch_in_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    require_library("pygame", "pictures")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    game: Any = gymnasium.wrappers.HumanRendering(gymnasium.make(adapter.ENV_ID, render_mode="rgb_array"))
    _, info = game.reset(seed=1)
    game.step(act(info))
    game.close()


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(
        ImportError, match=r"render_mode 'rgb_array' needs resvg and Pillow: pip install 'savanna-core\["
    ):
        adapter.SavannaEnv(render_mode="rgb_array")


def test_texts_of_arguments_are_kept() -> None:
    """A specification written as JSON and read again makes the same games, those of the objects that are meant."""
    texts: dict[str, Any] = {
        "rules": "4p,mice,team",
        "opponent": ["greedy", "random", "champion:20"],
        "seat": 2,
        "reward": "margin",
    }
    objects: dict[str, Any] = {
        "rules": sv.Rules(players=4, mice=True, team_game=True),
        "opponent": [sv.players.Greedy(), sv.players.Random(), sv.players.Champion(20)],
    }
    first = gymnasium.make(adapter.ENV_ID, **texts)
    assert first.spec is not None
    again = gymnasium.make(EnvSpec.from_json(first.spec.to_json()))
    plays = [played(game) for game in (first, again, gymnasium.make(adapter.ENV_ID, **{**texts, **objects}))]
    assert plays[0] == plays[1] == plays[2]


def played(game: Any) -> list[Any]:
    """Play a game and return what was seen."""
    observation, info = game.reset(seed=5)
    seen, over = [observation.tobytes()], False
    while not over:
        observation, reward, over, _, info = game.step(act(info))
        seen += [observation.tobytes(), reward]
    return seen


@pytest.mark.parametrize("opponent", ["nobody", ["greedy", "champion:x", "random"]])
def test_wrong_texts_are_refused(opponent: Any) -> None:
    with pytest.raises(sv.SavannaError, match=r"unknown player 'nobody'|champion:x"):
        adapter.SavannaEnv(opponent, "4p")
    with pytest.raises(sv.NotationError, match=r"rules text"):
        adapter.SavannaEnv("greedy", "9p")


def test_the_length_of_games_side_by_side_cannot_be_set() -> None:
    with pytest.raises(sv.SavannaError, match=r"^max_episode_steps cannot be set for games side by side"):
        gymnasium.make_vec(adapter.ENV_ID, num_envs=2, max_episode_steps=3)
    game = gymnasium.make(adapter.ENV_ID, max_episode_steps=3)
    _, info = game.reset(seed=1)
    for step in range(3):
        *_, truncated, info = game.step(act(info))
        assert truncated == (step == 2)
