"""The one line format: what is written is read back, and what cannot be read is named by its line."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.records import Line, LineError, read_line, read_lines, seconds
from firmware_bridge.records.lines import FIRST, LONGEST, write_line

STEADY = settings(derandomize=True)
WORD = st.text(st.characters(codec="utf-8").filter(str.isprintable), max_size=20)
LEADING = WORD.filter(lambda word: word != "" and seconds(word) is None)


def written(words: list[str], at: float | None = None) -> str:
    """A line on its own, without its end."""
    text, _ = write_line(words, at)
    assert text.endswith("\n")
    return text.removesuffix("\n")


def same(line: Line | None, at: float | None, words: list[str]) -> bool:
    return line is not None and (line.at, line.words) == (at, tuple(words))


@STEADY
@given(LEADING, st.lists(WORD, max_size=6))
def test_words_come_back_as_they_were_written(first: str, rest: list[str]) -> None:
    assert same(read_line(written([first, *rest])), None, [first, *rest])


@STEADY
@given(st.lists(WORD, min_size=1, max_size=6), st.floats(0, 9e8))
def test_a_time_comes_back_to_the_millisecond(words: list[str], at: float) -> None:
    line = read_line(written(words, at))
    assert line is not None
    assert line.words == tuple(words)
    assert line.at == pytest.approx(at, abs=0.0006)


def test_a_line_reads_as_its_documentation_shows() -> None:
    assert written(["turn", "c3-c4"], 12.34).startswith("12.340 turn c3-c4 ~")
    line = read_line("12.340 turn c3-c4", 7)
    assert line
    assert (line.number, line.at, line.word, line.rest) == (7, 12.34, "turn", ("c3-c4",))


@pytest.mark.parametrize("raw", ["", "   ", "# a comment", "  # another", "12.5", "12.5 # nothing"])
def test_comments_and_empty_lines_are_no_lines(raw: str) -> None:
    assert read_line(raw) is None


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("put c4 dark # with the left hand", ("put", "c4", "dark")),
        ("expect say 'two words'", ("expect", "say", "two words")),
        ('expect say "it\'s"', ("expect", "say", "it's")),
        ("note a\\ b", ("note", "a b")),
        ("note ''", ("note", "")),
        ("nan x", ("nan", "x")),
        ("-1 x", ("-1", "x")),
        ("inf x", ("inf", "x")),
    ],
)
def test_words_are_quoted_as_in_a_shell(raw: str, words: tuple[str, ...]) -> None:
    line = read_line(raw)
    assert line is not None
    assert line.words == words


@pytest.mark.parametrize("word", ["-1", "1e9", "nan", "inf", "-inf", "x", "", "1.2.3", "0x10"])
def test_other_words_are_no_times(word: str) -> None:
    assert seconds(word) is None


@pytest.mark.parametrize(("word", "value"), [("0", 0), ("12.340", 12.34), ("1e3", 1000), ("999999999", 999999999)])
def test_times_are_seconds(word: str, value: float) -> None:
    assert seconds(word) == value


@pytest.mark.parametrize(
    "raw",
    [
        "note 'open",
        'note "open',
        "note end\\",
        "bell \a",
        "tab\tin it",
        "x" * (LONGEST + 1),
        "null \0",
        "turn a1 ~beef",
    ],
)
def test_an_unreadable_line_is_named_in_one_sentence(raw: str) -> None:
    with pytest.raises(LineError, match=r"^line 12: [^\n]{10,200}$") as error:
        read_line(raw, 12)
    assert str(error.value).isprintable()


def test_a_damaged_line_is_told_from_a_wrong_one() -> None:
    line = written(["turn", "c3-c4"], 1.0)
    with pytest.raises(LineError, match="damaged"):
        read_line(line.replace("c4", "c5"))


def test_lines_are_numbered_from_one_comments_counted() -> None:
    lines = list(read_lines("# first\nput a1\n\n3.5 put b1\n"))
    assert [(line.number, line.at, line.rest) for line in lines] == [(2, None, ("a1",)), (4, 3.5, ("b1",))]


def test_an_error_names_the_line_it_is_in() -> None:
    with pytest.raises(LineError, match="^line 3: "):
        list(read_lines("put a1\nput b1\nput 'c1\nput d1\n"))


def chain(*texts: str) -> list[str]:
    """Lines of one word each, every check that of all lines up to it."""
    lines, check = [], FIRST
    for text in texts:
        line, check = write_line([text], None, check)
        lines.append(line)
    return lines


def test_each_check_is_that_of_all_lines_so_far() -> None:
    assert [line.word for line in read_lines("".join(chain("one", "two", "three")))] == ["one", "two", "three"]


@pytest.mark.parametrize("order", [[0, 2], [1, 0, 2], [0, 0, 1], [0, 1, 1, 2], [1, 2]])
def test_lines_missing_doubled_or_exchanged_are_noticed(order: list[int]) -> None:
    lines = chain("one", "two", "three")
    with pytest.raises(LineError, match="damaged, or a line before it is missing"):
        list(read_lines("".join(lines[number] for number in order)))


def test_comments_between_checked_lines_do_no_harm() -> None:
    assert len(list(read_lines("# ours\n".join(["", *chain("one", "two"), "\n"])))) == 2


@STEADY
@given(st.text(max_size=60), st.integers(1, 10**6))
def test_any_text_at_all_is_a_line_none_or_a_sentence(raw: str, number: int) -> None:
    try:
        line = read_line(raw, number)
    except LineError as error:
        assert str(error).startswith(f"line {number}: ")
        assert str(error).isprintable()
        assert len(str(error)) < 250
    else:
        assert line is None or line.words


@STEADY
@given(st.lists(WORD, min_size=1, max_size=4), st.data())
def test_one_changed_character_is_noticed(words: list[str], data: st.DataObject) -> None:
    """Anywhere but in the mark of the check itself, without which a line is read as typed by hand."""
    raw = written(words, 5.0)
    place = data.draw(st.integers(0, len(raw) - 7))
    mark = data.draw(st.sampled_from([c for c in string.printable.strip() if c != raw[place]]))
    with pytest.raises(LineError):
        read_line(raw[:place] + mark + raw[place + 1 :])
