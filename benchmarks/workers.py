"""Who plays the games of a long run: processes of this computer, or the workers of a Dask cluster on any number.

    make scheduler                            on one computer; each has a checkout of the same commit
    make worker CLUSTER=tcp://HOST:8786       on each that is to play
    make reading CLUSTER=tcp://HOST:8786      where the results are to be kept; other long runs alike

What is asked of a worker names its seed, so a run has the same results wherever it is played, but for those that depend
on seconds. Only the process that was called keeps results, a game a line: one that is stopped goes on later, with or
without a cluster. A worker that is lost has its games played by another.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager

from benchmarks.kept import digest, sources
from benchmarks.players import COMPILED

CODE = ("games/**/*.py", "firmware_bridge/**/*.py", "hardware/**/*.py", "benchmarks/*.py")
PATIENCE = 10.0
"""Seconds within which a scheduler answers; a guess."""


class ClusterError(SystemExit):
    """No cluster can be used; a command that lets it pass ends with its text, which says why, and what to do."""


def add_worker_options(parser: argparse.ArgumentParser) -> None:
    """Let the user of a benchmark choose who plays."""
    jobs = os.cpu_count() or 1
    parser.add_argument("--jobs", type=int, default=jobs, help="processes (default: one a core)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, tcp://host:8786: its workers play")


def workers(jobs: int, cluster: str | None = None) -> AbstractContextManager[tuple[Executor, int]]:
    """Those who play, and how many; games that have not begun are dropped if an error ends it. `ClusterError`."""
    return _local(jobs) if cluster is None else _of_cluster(cluster)


@contextmanager
def _local(jobs: int) -> Iterator[tuple[Executor, int]]:
    # Forked from a server without threads: a copy of this process could hold a lock of one that it does not have.
    apart = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(jobs, mp_context=apart, initializer=begin) as pool:
        try:
            yield pool, jobs
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def _of_cluster(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client  # it takes a second to import, and few want it
    except ImportError:
        raise ClusterError("Dask is not installed: pip install 'tablelight[cluster]'") from None
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no scheduler answers at {address}: start one by make scheduler ({error})") from None
    with client:
        theirs = client.run(version)
        if not theirs:
            raise ClusterError(f"{address} has no workers: start some by make worker CLUSTER={address}")
        if other := ", ".join(sorted(worker for worker, its in theirs.items() if its != version())):
            raise ClusterError(f"another version than here plays at {other}: check out the same commit there")
        client.run(seldom_collect)
        yield client.get_executor(pure=False), sum(client.nthreads().values())


def begin() -> None:
    """What a process does first: it leaves Ctrl-C to the one that keeps the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    seldom_collect()


def seldom_collect() -> None:
    """Collect garbage less often: games make much that is needed until they end."""
    gc.set_threshold(20_000, 20, 20)


def version() -> str:
    """What a run depends on: the sources, and whether the engine is compiled."""
    return f"{digest(sources(*CODE))}{', compiled' if COMPILED else ''}"
