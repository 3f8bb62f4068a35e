"""Long runs on a cluster: a real one of Dask's, with two workers on this computer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from benchmarks.matches import Match
from benchmarks.strength import compete
from benchmarks.workers import ClusterError, workers

MATCH = Match("zhizhu", "level-2", "level-1", 0.6, 0.75)


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """A scheduler and two workers, processes of their own."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made:
        yield made


def test_a_match_has_the_same_games_on_a_cluster_and_goes_on_without_it(cluster: LocalCluster, tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    (first,) = compete([MATCH], 4, there, 1, cluster.scheduler_address)
    (second,) = compete([MATCH], 4, here, 1)
    assert first.figures() == second.figures()
    (more,) = compete([MATCH], 6, there, 1)
    kept = [json.loads(line)[2] for line in there.read_text().splitlines() if line]
    assert sorted(kept) == list(range(len(more.bet.scores)))
    assert more.bet.scores[:4] == second.bet.scores


def test_a_command_has_evenings_read_on_a_cluster(cluster: LocalCluster, tmp_path: Path) -> None:
    row = ["--tuning", "--share", "0.005", "--cell", "yin-yang:colour", "--habit", "steady", "--reader", "table"]
    given = [*row, "--results", str(tmp_path), "--cluster", cluster.scheduler_address]
    ended = run("reading", *given)
    assert ended.returncode == 0, ended.stderr
    (kept,) = (tmp_path / "reading.jsonl").read_text().splitlines()[2:]
    assert json.loads(kept)["turns"] > 5


def test_a_worker_that_is_lost_has_its_game_played_by_another(cluster: LocalCluster, tmp_path: Path) -> None:
    with workers(1, cluster.scheduler_address) as (pool, count):
        assert count == 2
        once = tmp_path / "once"
        assert pool.submit(lost_once, once).result(60) == "played"
        assert once.exists()


def lost_once(once: Path) -> str:
    """The first time the process ends instead."""
    if not once.exists():
        once.touch()
        os._exit(1)
    return "played"


def test_a_cluster_that_cannot_be_used_is_told_in_a_sentence(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.workers.PATIENCE", 0.5)
    with (
        pytest.raises(ClusterError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"),
        workers(1, "tcp://127.0.0.1:9"),
    ):
        pass
    with (
        LocalCluster(n_workers=0, dashboard_address=None) as empty,
        pytest.raises(ClusterError, match="has no workers: start some by make worker"),
        workers(1, empty.scheduler_address),
    ):
        pass
    monkeypatch.setattr("benchmarks.workers.COMPILED", True)
    with (
        pytest.raises(ClusterError, match="another version than here plays at tcp://"),
        workers(1, cluster.scheduler_address),
    ):
        pass


def test_a_command_ends_with_that_sentence() -> None:
    ended = run("strength", "--game", "zhizhu", "--match", "level-8", "--cluster", "nowhere")
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("no scheduler answers at nowhere: start one by make scheduler")


def run(name: str, *given: str) -> subprocess.CompletedProcess[str]:
    """A benchmark, as a command."""
    command = [sys.executable, "-m", f"benchmarks.{name}", *given]
    return subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
