"""The workflow that publishes: off until it is switched on, and made of what the Makefile has."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from typing import Any

import yaml

from tests.packages.distribution import ROOT

WORKFLOW: dict[Any, Any] = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
JOBS = WORKFLOW["jobs"]


def before(job: str) -> set[str]:
    """The job, and all jobs that it waits for."""
    needs = JOBS[job].get("needs", [])
    return {job}.union(*map(before, [needs] if isinstance(needs, str) else needs))


def test_nothing_runs_until_it_is_switched_on() -> None:
    for job in JOBS:
        assert any(JOBS[each].get("if") == "vars.RELEASES == 'on'" for each in before(job)), job


def test_only_a_tag_publishes_and_only_what_everything_else_has_passed() -> None:
    assert JOBS["publish"]["if"] == "github.ref_type == 'tag'"
    assert before("publish") == set(JOBS)
    rights = {job for job, what in JOBS.items() if "permissions" in what}
    assert (WORKFLOW["permissions"], rights) == ({"contents": "read"}, {"publish"})


def test_what_it_runs_are_targets_and_files_of_the_project() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    run = "\n".join(step["run"] for job in JOBS.values() for step in job["steps"] if "run" in step)
    assert {"dist", "site", "firmware", "man", "test-deb"} <= set(re.findall(r"\bmake ([a-z-]+)", run)) <= targets
    assert (ROOT / ".ci/run").exists()


def test_what_is_taken_over_was_handed_over() -> None:
    uses = [step for job in JOBS.values() for step in job["steps"] if "artifact@" in step.get("uses", "")]
    handed = {step["with"]["name"] for step in uses if "upload" in step["uses"]}
    taken = {step["with"].get("name") or step["with"]["pattern"] for step in uses if "download" in step["uses"]}
    assert all(any(fnmatch(name, each) for name in handed) for each in taken)
