"""Who may look at the page and who may change anything; what is served; how it begins and ends."""

from __future__ import annotations

import asyncio
import gzip
import json
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from random import randbytes
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus

from firmware_bridge.session import Failed, Link, Now, Press, Table
from firmware_bridge.web.browser import Limits
from firmware_bridge.web.door import Penalties
from firmware_bridge.web.files import File, file_answer
from tests.web.page_server import (
    PATIENCE,
    Serving,
    heard,
    hello,
    listening,
    now,
    out,
    say,
    served,
    story,
    table,
    watching,
)

HOST = socket.gethostname()
SHORT = HOST.partition(".")[0]


@pytest.fixture(scope="module")
def networked() -> Iterator[Serving]:
    """A page on the network, which has a name of its own in the settings."""
    with listening("--host", "0.0.0.0", "--name", "table.home") as elsewhere:
        yield elsewhere


def test_on_the_network_all_may_look_and_only_a_token_allows_changes() -> None:
    async def do(browser: ClientConnection) -> None:
        page = await hello(browser)
        assert (page["may"], page["token"]) == (False, True)
        await say(browser, {"do": "press", "button": "done"})
        assert "#" in (await heard(browser, "refused"))["text"]
        assert not (await hello(browser, token="sesamé"))["may"]
        assert not (await hello(browser, token="sesam"))["may"]
        page = await hello(browser, token="sesame")
        assert (page["may"], page["token"]) == (True, False)
        await say(browser, {"do": "press", "button": "undo"})

    with listening("--host", "0.0.0.0", "--token", "sesame") as elsewhere:
        watching(elsewhere, do)
        assert elsewhere.told() == Press("undo")


def test_an_address_that_tries_tokens_is_paused_and_may_go_on_watching() -> None:
    async def do(browser: ClientConnection) -> None:
        for number in range(Penalties.FREE + 1):
            assert not (await hello(browser, token=f"wrong{number}"))["may"]
        await say(browser, {"hello": {"token": "sesame"}})
        assert "wait a minute" in (await heard(browser, "refused"))["text"]
        assert not (await heard(browser, "page"))["may"]
        await asyncio.sleep(Penalties.FIRST)
        assert (await hello(browser, token="sesame"))["may"]

    with listening("--host", "0.0.0.0", "--token", "sesame") as elsewhere:
        watching(elsewhere, do)


def test_watchers_leave_room_for_those_with_the_token() -> None:
    async def do() -> None:
        watchers = [await elsewhere.browse(max_queue=None) for _ in range(Limits().each + 1)]
        for watcher in watchers[:-1]:
            await hello(watcher)
        await say(watchers[-1], {"hello": {}})
        code, sentence = await out(watchers[-1])
        assert (code, "close one" in sentence) == (1013, True)
        async with elsewhere.browse() as player:
            assert (await hello(player, token="sesame"))["may"]
        await asyncio.gather(*(watcher.close() for watcher in watchers))

    with listening("--host", "0.0.0.0", "--token", "sesame") as elsewhere:
        asyncio.run(do())


def test_without_a_token_nobody_on_the_network_changes_anything() -> None:
    async def do(browser: ClientConnection) -> bool:
        return bool((await hello(browser, token=""))["may"])

    with listening("--host", "0.0.0.0") as elsewhere:
        assert not watching(elsewhere, do)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1", "file://127.0.0.1:{port}", "http://[", None]
)
def test_another_sites_page_may_not_speak_to_the_table(serving: Serving, origin: str | None) -> None:
    async def do(browser: ClientConnection) -> None:
        pass

    with pytest.raises(InvalidStatus) as refused:
        watching(serving, do, origin=origin and origin.format(port=serving.port))
    assert refused.value.response.status_code == 403
    assert b"own page" in refused.value.response.body


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "192.168.1.7", "", "[", "127.0.0.1.evil.example"]
)
def test_a_host_name_of_another_site_is_refused(serving: Serving, host: str) -> None:
    answer, text = serving.fetch("/", Host=host)
    assert (answer.status, "localhost" in text) == (403, True)


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8000", "127.0.0.1:9", "127.1.2.3", "[::1]:8000", "t.localhost"]
)
def test_this_computers_own_names_lead_to_the_page(serving: Serving, host: str) -> None:
    assert serving.fetch("/", Host=host)[0].status == 200


@pytest.mark.parametrize(
    "host", ["evil.example:{port}", "table.home.evil.example", "", "[", "192.168.1.7.evil.example"]
)
def test_on_the_network_a_name_that_others_may_own_is_refused(networked: Serving, host: str) -> None:
    named = host.format(port=networked.port)
    answer, text = networked.fetch("/record", Host=named)
    assert (answer.status, "names under [page]" in text) == (403, True)

    async def do(browser: ClientConnection) -> None:
        pass

    if named:
        with pytest.raises(InvalidStatus) as refused:  # the page of that site, whose name leads here by now
            watching(networked, do, origin=f"http://{named}", additional_headers={"Host": named})
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    "host", ["192.168.1.7:8000", "[fd00::7]", "127.0.0.1", "localhost", "Table.HOME:8000", HOST, f"{SHORT}.local:8000"]
)
def test_on_the_network_addresses_own_names_and_configured_ones_lead_to_the_page(networked: Serving, host: str) -> None:
    assert networked.fetch("/", Host=host)[0].status == 200


def test_a_configured_name_leads_to_a_private_page_too() -> None:
    with listening("--name", "table.home") as named:
        assert named.fetch("/", Host="table.home")[0].status == 200
        assert named.fetch("/", Host="192.168.1.7")[0].status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "something new"])
def test_what_another_site_fetches_is_refused_and_its_links_are_followed(serving: Serving, site: str) -> None:
    def fetch(mode: str, dest: str) -> int:
        told = {"Sec_Fetch_Site": site, "Sec_Fetch_Mode": mode, "Sec_Fetch_Dest": dest}
        return serving.fetch("/", **told)[0].status

    assert [fetch("no-cors", "script"), fetch("cors", "empty"), fetch("navigate", "iframe")] == [403, 403, 403]
    assert fetch("navigate", "document") == 200
    assert serving.fetch("/", Sec_Fetch_Site=site)[0].status == 403


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_what_the_page_itself_fetches_is_served(serving: Serving, site: str) -> None:
    told = {"Sec_Fetch_Site": site, "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "style"}
    assert serving.fetch("/static/style.css", **told)[0].status == 200


def test_the_page_is_served_guarded_and_kept_while_it_is_the_same(serving: Serving) -> None:
    answer, text = serving.fetch("/")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert text.lstrip().lower().startswith("<!doctype html")
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self';")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-cache"
    again, nothing = serving.fetch("/", If_None_Match=answer.headers["ETag"])
    assert (again.status, nothing) == (304, "")


def test_what_the_page_needs_is_served_with_its_type(serving: Serving) -> None:
    types = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html",
             ".webmanifest": "application/manifest+json"}  # fmt: skip
    folder = Path("firmware_bridge/web/static")
    for path in folder.rglob("*.*"):
        answer, text = serving.fetch(f"/static/{path.relative_to(folder)}")
        assert answer.status == 200, path
        assert answer.headers["Content-Type"].startswith(types[path.suffix])
        assert text == path.read_text()


def test_files_go_by_gzip_to_browsers_that_take_it(serving: Serving) -> None:
    plain, text = serving.fetch("/static/style.css")
    assert (plain.headers["Content-Encoding"], plain.headers["Vary"]) == (None, "Accept-Encoding")
    answer, packed = serving.fetch_bytes("/static/style.css", Accept_Encoding="gzip, deflate, br, zstd")
    assert (answer.headers["Content-Encoding"], answer.headers["Vary"]) == ("gzip", "Accept-Encoding")
    assert int(answer.headers["Content-Length"]) == len(packed) < len(text) / 2
    assert gzip.decompress(packed).decode() == text


@pytest.mark.parametrize(
    ("accepted", "packs"),
    [("gzip", True), ("GZip;q=0.5", True), ("br, *", True), ("deflate, gzip ; q=1.0", True), ("*;q=0.1", True),
     ("", False), ("identity", False), ("br", False), ("gzip;q=0", False), ("gzip; q=0.000, *", False),
     ("*;q=0", False), ("xgzip", False), (";q=,=;,,", False)],
)  # fmt: skip
def test_what_a_browser_takes_is_what_it_gets(serving: Serving, accepted: str, packs: bool) -> None:
    answer, _ = serving.fetch("/static/main.js", Accept_Encoding=accepted)
    assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip" if packs else None)


def test_a_browser_has_still_what_it_got_in_the_same_form_alone(serving: Serving) -> None:
    plain = serving.fetch("/")[0].headers["ETag"]
    packed = serving.fetch("/", Accept_Encoding="gzip")[0].headers["ETag"]
    assert plain != packed
    for known, status in ((packed, 304), (f'"x", W/{packed}', 304), (plain, 200)):
        answer, _ = serving.fetch("/", Accept_Encoding="gzip", If_None_Match=known)
        assert (answer.status, answer.headers["ETag"], answer.headers["Vary"]) == (status, packed, "Accept-Encoding")
    assert serving.fetch("/", If_None_Match=packed)[0].status == 200


def test_a_file_that_gzip_makes_no_smaller_goes_as_it_is() -> None:
    random = File.of("image/png", randbytes(500))
    answer = file_answer(random, Headers([("Accept-Encoding", "gzip")]))
    assert ("Content-Encoding" in answer.headers, answer.body) == (False, random.body)


@pytest.mark.parametrize(
    "path",
    ["/static/../server.py", "/static/%2e%2e/server.py", "/static//etc/passwd", "/etc/passwd", "//", "/static/",
     "/static/..%2fserver.py", "/server.py", "/record/../../etc/passwd", "*"],
)  # fmt: skip
def test_other_paths_are_not_found(serving: Serving, path: str) -> None:
    answer, text = serving.fetch(path)
    assert (answer.status, text) == (404, "There is nothing here; the page of the table is at /.\n")


def test_other_methods_than_get_are_refused(serving: Serving) -> None:
    assert serving.fetch("/", method="DELETE")[0].status == 405


def test_the_record_can_be_kept(serving: Serving, tmp_path: Path) -> None:
    path = tmp_path / 'evening "1".table'
    path.write_text("the record\n")
    serving.tell(table(record=str(path)))
    wait_until_told(serving, record=True)
    answer, text = serving.fetch("/record?x=/etc/passwd")
    assert (answer.status, text, answer.headers["Content-Type"]) == (200, "the record\n", "text/plain; charset=utf-8")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="evening__1_.table"'
    path.unlink()
    answer, text = serving.fetch("/record", Accept_Language="en")
    assert (answer.status, "no longer" in text) == (404, True)


def test_without_a_record_there_is_none_to_keep(serving: Serving) -> None:
    wait_until_told(serving, record=False)
    assert serving.fetch("/record")[0].status == 404


def wait_until_told(serving: Serving, **wanted: Any) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        await heard(browser, "table", **wanted)

    watching(serving, do)


def test_a_port_that_is_taken_is_reported_with_another(serving: Serving) -> None:
    with served("--port", str(serving.port)) as second:
        failed = second.told()
        assert isinstance(failed, Failed)
        assert f"127.0.0.1:{serving.port}: another program has this port; --address 127.0.0.1:" in failed.fault
        assert second.process.wait(PATIENCE) == 1


@pytest.mark.parametrize("host", ["192.0.2.1", "no such name"])
def test_a_host_that_is_not_here_is_reported(host: str) -> None:
    with served("--host", host) as second:
        failed = second.told()
        assert isinstance(failed, Failed)
        assert "is no address of this computer" in failed.fault


def test_the_server_tells_browsers_when_the_daemon_ends_and_ends_too() -> None:
    async def do(serving: Serving) -> None:
        async with serving.browse() as browser:
            await hello(browser)
            serving.process.send_signal(signal.SIGINT)  # a Ctrl-C is for the daemon
            serving.daemon.send(b"\xc1 no snapshot")
            serving.tell(table(), story(), now())
            await heard(browser, "now")
            serving.daemon.shutdown(socket.SHUT_RDWR)
            await heard(browser, "alone")
            assert (await out(browser))[0] == 1001
        assert await asyncio.to_thread(serving.process.wait, PATIENCE) == 0

    with listening() as serving:
        asyncio.run(do(serving))


@pytest.mark.parametrize(
    ("broken", "named"),
    [(now(aside=("no.such-sentence", ())), "no.such-sentence"), (table(options={"size": 7}), "size = 7")],
    ids=["sentence", "game"],
)
def test_an_error_of_the_program_is_reported_and_ends_the_server(broken: Now | Table, named: str) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        serving.tell(table(), story(), broken)
        assert (await out(browser))[0] is not None

    with listening() as serving:
        watching(serving, do)
        failed = serving.told()
        assert isinstance(failed, Failed)
        assert named in failed.fault
        assert serving.process.wait(PATIENCE) == 1


def test_the_words_of_an_invitation_are_for_those_alone_who_may_join_in() -> None:
    words = "lusab-babad-gutih-tugad-mudof-sakat"

    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        await heard(browser, "now")
        await hello(browser)  # all is told anew
        while (told := json.loads(await browser.recv()))["kind"] != "seats":
            assert told["kind"] in ("table", "story", "now")
        await hello(browser, token="sesame")
        told = await heard(browser, "link")
        assert (told["state"], told["words"]) == ("waiting", words)
        assert told["code"].startswith("<svg")

    with listening("--host", "0.0.0.0", "--token", "sesame") as elsewhere:
        invited = Link(state="waiting", words=words, address=f"mqtt://club/#{words}")
        elsewhere.tell(invited, table(), story(), now())
        watching(elsewhere, do)
