"""Files that `generate` writes: other programs read the directory as it is, and a flipped byte is found."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas
import pyarrow as pa
import pytest
import ray
from pyarrow import dataset, parquet

import savanna as sv
from savanna import distributed
from tests.support import ray_cluster
from tests.support.full import count
from tests.support.tools import require_library

pytestmark = pytest.mark.rare

RULES = sv.Rules(players=3, mice=True)
GAMES = 2100


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[Any]:
    with ray_cluster.running() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def folder(cluster: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shards") / "games"
    assert len(distributed.generate(path, RULES, GAMES, seed=8, chunk=1)) == 2
    return path


def by_pyarrow(folder: Path) -> list[int]:
    return list(dataset.dataset(folder).to_table()["action"].to_pylist())


def by_pandas(folder: Path) -> list[int]:
    return list(pandas.read_parquet(folder)["action"].tolist())


def by_ray(folder: Path) -> list[int]:
    return [row["action"] for row in ray.data.read_parquet(str(folder)).select_columns(["action"]).iter_rows()]


def by_polars(folder: Path) -> list[int]:
    actions = require_library("polars", "readers").scan_parquet(folder).select("action").collect()
    return list(actions["action"].to_list())


def by_duckdb(folder: Path) -> list[int]:
    query = f"select action from read_parquet('{folder}/*') order by game, ply"
    return [action for (action,) in require_library("duckdb", "readers").sql(query).fetchall()]


def by_datasets(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = require_library("datasets", "readers")
    loaded = datasets.load_dataset("parquet", data_dir=str(folder), split="train", cache_dir=str(tmp_path))
    return list(loaded["action"])


@pytest.mark.filterwarnings("ignore:`use_:DeprecationWarning")  # Ray warns of its own use
@pytest.mark.parametrize("read", [by_pyarrow, by_pandas, by_ray, by_polars, by_duckdb], ids=lambda it: it.__name__[3:])
def test_other_programs_read_the_directory(read: Callable[[Path], list[int]], folder: Path) -> None:
    actions = read(folder)
    assert len(actions) == 20 * GAMES
    assert sorted(actions) == sorted(by_pyarrow(folder))
    if read is not by_ray:  # which reads files in no order
        assert actions == by_pyarrow(folder)


def test_datasets_reads_the_directory(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert by_datasets(folder, monkeypatch, tmp_path) == by_pyarrow(folder)


@pytest.mark.parametrize("name", ["rollout", "generate"])
def test_a_flipped_byte_is_found(name: str, tmp_path: Path) -> None:
    """Wherever it is: in the data, in what tells of them, or in the marks at both ends."""
    folder, rng = tmp_path / "call", random.Random(name)
    calls: dict[str, Callable[[], object]] = {
        "rollout": lambda: distributed.rollout(RULES, 3 * sv.BATCH, seed=7, chunk=1, directory=folder),
        "generate": lambda: distributed.generate(folder, RULES, 5, seed=7),
    }
    before = calls[name]()
    part = min(folder.iterdir())
    data = part.read_bytes()
    ends = [0, 1, 3, 4, len(data) - 9, len(data) - 5, len(data) - 1]
    for place in [*ends, *rng.sample(range(len(data)), count(20, 400))]:
        part.write_bytes(data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :])
        with pytest.raises(sv.RecordError, match=rf"{part.name}: it is (damaged, remove it|not part 0 of this call)"):
            calls[name]()
    part.write_bytes(data)
    assert calls[name]() == before


def test_others_can_check_pages(folder: Path, tmp_path: Path) -> None:
    """Each page has a checksum, so that those who have no digest find what was altered, too."""
    part = min(folder.iterdir())
    content, data = parquet.read_metadata(part), bytearray(part.read_bytes())
    column = content.row_group(0).column(5)
    data[column.data_page_offset + column.total_compressed_size // 2] ^= 4
    (tmp_path / part.name).write_bytes(data)
    with pytest.raises((pa.ArrowException, OSError)):
        parquet.read_table(tmp_path / part.name, page_checksum_verification=True)
