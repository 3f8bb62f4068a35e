"""Only ordinary files are read and replaced; pipes and devices are written to, links stay, all else is refused."""

from __future__ import annotations

import ast
import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from docs.architecture import modules
from hardware import files
from tests.hardware.odd_files import null, piped

# Writing ----------------------------------------------------------------------------------------


def test_a_file_is_replaced_whole_with_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "file"
    files.write(path, b"one")
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask
    path.chmod(0o640)
    before = path.stat().st_ino
    files.write(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o640
    assert path.stat().st_ino != before
    assert os.listdir(tmp_path) == ["file"]


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link, target = tmp_path / "link", tmp_path / "there" / "file"
    link.symlink_to(target)
    for data in (b"not there yet", b"there"):
        files.write(link, data)
        assert link.is_symlink()
        assert target.read_bytes() == data
    assert os.listdir(tmp_path / "there") == ["file"]


def test_a_device_is_written_to(tmp_path: Path) -> None:
    with null(tmp_path) as path:
        files.write(path, b"gone")


def test_a_pipe_is_written_to_the_whole_of_it(tmp_path: Path) -> None:
    data = b"x" * 1_000_000  # more than a pipe takes at once
    with piped(tmp_path) as (path, heard):
        files.write(path, data)
    assert b"".join(heard) == data


def test_a_pipe_from_which_nobody_reads_is_refused_and_nothing_waits(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a pipe from which nobody reads"):
        files.write(tmp_path / "pipe", b"lost")


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("kept", [True, False])
def test_standard_output_is_written_to_be_it_a_pipe_or_a_file(name: str, kept: bool, tmp_path: Path) -> None:
    writes = f"files.write(Path({name!r}), b'2\\n')"
    program = f"from hardware import files; from pathlib import Path; print(1); {writes}; print(3)"
    command, out = [sys.executable, "-c", program], tmp_path / "out"
    if kept:
        with out.open("wb") as file:
            subprocess.run(command, stdout=file, check=True)
        assert out.read_text() == "1\n2\n3\n"
    else:
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "1\n2\n3\n"


@pytest.mark.parametrize(("kind", "says"), [("folder", "a folder"), ("socket", "a socket")])
def test_what_can_be_neither_replaced_nor_written_to_is_refused(
    kind: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    path = Path("it")
    with socket.socket(socket.AF_UNIX) as line:
        path.mkdir() if kind == "folder" else line.bind(str(path))
        for use in (lambda: files.write(path, b"no"), lambda: files.read(path, 10)):
            with pytest.raises(OSError, match=f"{says}, where an ordinary file is needed|No such device or address"):
                use()
    assert os.listdir() == ["it"]


def test_a_planted_draft_is_not_written_through(tmp_path: Path) -> None:
    """In a folder that all may write to another user could lay a link where a draft is to be."""
    victim = tmp_path / "victim"
    victim.write_text("as it was")
    for name in (".file.new", ".file.part", f".file.{os.getpid()}"):
        (tmp_path / name).symlink_to(victim)
    files.write(tmp_path / "file", b"new")
    assert victim.read_text() == "as it was"


def test_what_fails_half_way_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("as it was")
    with suppress(KeyboardInterrupt), files.replacing(path) as draft:
        draft.write_text("half")
        raise KeyboardInterrupt
    assert path.read_text() == "as it was"
    assert os.listdir(tmp_path) == ["file"]


# Reading ----------------------------------------------------------------------------------------


def test_no_more_is_read_than_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert files.read(tmp_path / "file", 5) == b"12345"
    assert files.read(tmp_path / "file", 3) == b"1234"


def test_reading_a_pipe_or_a_device_does_not_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a pipe, where an ordinary file is needed"):
        files.read(tmp_path / "pipe", 10)
    with pytest.raises(OSError, match="a device, where an ordinary file is needed"):
        files.read(Path("/dev/zero"), 10)


def test_a_name_that_no_file_can_have_is_an_error_of_the_system() -> None:
    for use in (lambda: files.write(Path("a\0b"), b""), lambda: files.read(Path("a\0b"), 10)):
        with pytest.raises(OSError, match="no file has such a name"):
            use()


# One mechanism ----------------------------------------------------------------------------------

WRITERS = {
    "hardware.files": "the one mechanism",
    "firmware_bridge.records.append_log": "creates records, and never replaces one",
    "firmware_bridge.records.trace": "keeps the part before under another name",
    "firmware_bridge.records.shelf": "removes records, and writes its note in place",
    "firmware_bridge.library.index": "removes an index that is damaged: it is made anew from the records",
    "firmware_bridge.engine.build": "folders and files of its own, in the state folder",
    "firmware_bridge.cli.monitor": "its socket, which is no file",
    "firmware_bridge.workshop.wire_command": "writes to a draft",
    "firmware_bridge.link.pairing": "writes to a draft, and forgets a pairing that has ended",
    "firmware_bridge.link.courier": "keeps a state that cannot be read under another name",
    "firmware_bridge.club.evening": "writes to a draft, and forgets an evening that has ended",
    "firmware_bridge.cli.club": "writes to a draft",
    "firmware_bridge.web.opened": "games that were brought, in a temporary folder of its own",
}
"""The modules that may write or rename files, and why."""
CALLS = {"write_text", "write_bytes", "rename", "renames", "replace", "symlink_to", "link", "mkstemp", "unlink"}


def writes(source: str) -> bool:
    """Whether `source` writes, renames or removes files."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = [each.value for each in node.args if isinstance(each, ast.Constant)]
        texts = name == "replace" and (len(node.args) != 1 or node.keywords)  # of strings, dates and structs
        if (name in CALLS and not texts) or (
            name in ("open", "fdopen") and {"w", "wb", "a", "ab", "x"} & {*map(str, given)}
        ):
            return True
    return False


def test_nothing_else_in_the_program_writes_files() -> None:
    assert {name for name, path in modules().items() if writes(path.read_text())} == set(WRITERS)
