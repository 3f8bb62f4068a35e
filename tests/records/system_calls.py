"""A program run from one system call to the next: each is seen, may be made to fail, or may be the last.

It is ptrace, told by ctypes, in a child that is forked from this process: Linux on x86-64, where tracing is allowed.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

NAMES = {
    0: "read", 1: "write", 2: "open", 3: "close", 4: "stat", 5: "fstat", 8: "lseek", 17: "pread64", 18: "pwrite64",
    20: "writev", 26: "msync", 40: "sendfile", 72: "fcntl", 73: "flock", 74: "fsync", 75: "fdatasync",
    76: "truncate", 77: "ftruncate", 82: "rename", 83: "mkdir", 84: "rmdir", 85: "creat", 86: "link", 87: "unlink",
    88: "symlink", 90: "chmod", 91: "fchmod", 217: "getdents64", 257: "openat", 258: "mkdirat", 262: "newfstatat",
    263: "unlinkat", 264: "renameat", 265: "linkat", 266: "symlinkat", 277: "sync_file_range", 280: "utimensat",
    285: "fallocate", 295: "preadv", 296: "pwritev", 306: "syncfs", 316: "renameat2", 326: "copy_file_range",
    328: "pwritev2",
}  # fmt: skip
"""The system calls that have to do with files; between two of them a process changes nothing on a disk."""
PATHS = {
    "open": (0,), "openat": (1,), "mkdir": (0,), "mkdirat": (1,), "link": (0, 1), "linkat": (1, 3), "unlink": (0,),
    "unlinkat": (1,), "stat": (0,), "newfstatat": (1,), "truncate": (0,),
}  # fmt: skip
"""Which arguments are paths."""
TRACEME, GETREGS, SETREGS, SYSCALL, SETOPTIONS = 0, 12, 13, 24, 0x4200
GOOD, CLONES, EXITKILL = 1, 8, 0x100000
WALL = 0x40000000
FAR = 2**64
REGISTERS = """r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base
    ds es fs gs"""


class Registers(ctypes.Structure):
    """Those of a stopped x86-64 thread, as the kernel tells them."""

    _fields_ = [(name, ctypes.c_ulonglong) for name in REGISTERS.split()]


@dataclass
class Call:
    """A system call on files that is about to be made, or, with a `result`, was."""

    thread: int
    name: str
    arguments: tuple[int, ...]
    paths: tuple[str, ...]
    data: bytes
    """What it writes."""
    result: int | None = None
    failing: int = 0
    """To be set before it is made: the errno with which it is to fail, undone."""


@cache
def kernel() -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    return libc


def ptrace(request: int, thread: int, data: Any = 0) -> None:
    if kernel().ptrace(request, thread, None, data) < 0:
        raise OSError(ctypes.get_errno(), f"ptrace {request}")


@cache
def why_not() -> str:
    """Why programs cannot be run like this here, or empty."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return "system calls are followed on Linux on x86-64 alone"
    try:
        seen = sum(1 for _ in calls(lambda: os.stat("/")))
    except OSError as error:
        return f"following system calls is not allowed here ({error})"
    return "" if seen else "no system call is seen here"


def calls(doing: Callable[[], object]) -> Generator[Call, None, None]:
    """The calls of a child that is `doing` this: each twice, before it is made and with its result.

    The child is killed when no further call is asked for, and stands still from one to the next.
    """
    child = os.fork()
    if not child:
        be_followed(doing)
    os.waitpid(child, WALL)
    try:
        ptrace(SETOPTIONS, child, GOOD | CLONES | EXITKILL)
        ptrace(SYSCALL, child)
        yield from followed(child)
    finally:
        kill(child)


def be_followed(doing: Callable[[], object]) -> None:
    """The child: whatever comes of it, nothing of its parent's is done here."""
    status = 3
    try:
        os.setpgid(0, 0)
        ptrace(TRACEME, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        doing()
        status = 0
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(status)


class Failed(Exception):
    """The child ended otherwise than in peace."""


def followed(child: int) -> Iterator[Call]:
    """What the child and its threads do, until the child has ended; Failed."""
    under_way: dict[int, Call | None] = {}
    while True:
        thread, status = os.waitpid(-child, WALL)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            if thread != child:
                continue
            if status:
                raise Failed(status)
            return
        passed_on = os.WSTOPSIG(status)
        try:
            if passed_on == signal.SIGTRAP | 0x80:
                yield from at_a_call(thread, under_way)
            ptrace(SYSCALL, thread, passed_on if passed_on == signal.SIGTERM else 0)
        except ProcessLookupError:  # the process has ended, and with it this thread, which waits for nobody any more
            if thread == child:
                raise


def at_a_call(thread: int, under_way: dict[int, Call | None]) -> Iterator[Call]:
    """The call that `thread` stands before or after, if it has to do with files."""
    registers = Registers()
    ptrace(GETREGS, thread, ctypes.byref(registers))
    if thread not in under_way:
        under_way[thread] = call = begun(thread, registers)
        if call:
            yield call
            if call.failing:
                registers.orig_rax = FAR - 1
                ptrace(SETREGS, thread, ctypes.byref(registers))
        return
    call = under_way.pop(thread)
    if call:
        if call.failing:
            registers.rax = FAR - call.failing
            ptrace(SETREGS, thread, ctypes.byref(registers))
        call.result = ctypes.c_longlong(registers.rax).value
        yield call


def begun(thread: int, told: Registers) -> Call | None:
    name = NAMES.get(told.orig_rax)
    if not name:
        return None
    arguments = tuple(ctypes.c_longlong(each).value for each in (told.rdi, told.rsi, told.rdx, told.r10, told.r8))
    paths = tuple(text(thread, arguments[place]) for place in PATHS.get(name, ()))
    data = memory(thread, arguments[1], arguments[2]) if name == "write" else b""
    return Call(thread, name, arguments, paths, data)


def memory(thread: int, address: int, length: int) -> bytes:
    with open(f"/proc/{thread}/mem", "rb", buffering=0) as file:
        file.seek(address)
        return file.read(length) or b""


def text(thread: int, address: int) -> str:
    """The text at `address`, which ends with a zero, as far as its page goes."""
    data = b""
    while b"\0" not in data and len(data) < 4096:
        start = address + len(data)
        data += memory(thread, start, 256 - start % 256)
    return os.fsdecode(data.partition(b"\0")[0])


def kill(child: int) -> None:
    """End the child by SIGKILL, where it has not ended yet, and wait until it is gone."""
    try:
        os.kill(child, signal.SIGKILL)
        while os.waitpid(-child, WALL):
            pass
    except (ProcessLookupError, ChildProcessError):
        pass
