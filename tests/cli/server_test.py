#!/usr/bin/env python3
"""`sinew view` from outside: who gets in, and what malice does. server_test.py SINEW

Traffic goes to this machine only, and all of it is bounded.
"""
import json
import os
import pathlib
import random
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from viewer_client import SWING, Case, Closed, Page, Server, main, parse_response, read_all  # noqa: E402

SEED = int(os.environ.get("SINEW_SEED", random.randrange(1 << 30)))


class GateTest(Case):
    def test_the_token_becomes_a_cookie_and_leaves_the_address(self):
        self.server.cookie()
        used = self.server.token
        self.assertEqual(self.server.get(f"/?token={used}", method="HEAD", Cookie=None)[0], 401, "a look does not use it")
        status, headers, _ = self.server.get(f"/?token={used}", Cookie=None)
        self.assertEqual(status, 303)
        self.assertRegex(headers["location"], "^/#pass=[0-9a-f]{48}$")
        cookie = headers["set-cookie"]
        self.assertNotIn(headers["location"].partition("=")[2], cookie)
        self.server.token = self.server.next_token()
        self.assertRegex(cookie, f"^sinew_{self.server.port}=[0-9a-f]{{48}};")
        self.assertNotIn(used, cookie)
        self.assertNotEqual(cookie.split(";")[0], self.server.cookie(), "every browser has a secret of its own")
        self.assertEqual(self.server.get("/", Cookie=cookie.split(";")[0])[0], 200)
        for part in ("HttpOnly", "SameSite=Strict", "Path=/"):
            self.assertIn(part, cookie)
        # Who finds the address later has nothing; the browser that has used it goes on.
        self.assertEqual(self.server.get(f"/?token={used}", Cookie=None)[0], 401)
        status, headers, _ = self.server.get(f"/?token={used}")
        self.assertEqual((status, headers["location"], headers.get("set-cookie")), (303, "/", None))

    def test_a_cookie_that_another_port_was_sent_opens_nothing(self):
        """Cookies know no ports: a server at another one of this address may be sent ours."""
        self.server.cookie()
        used = self.server.token
        _, headers, _ = self.server.get(f"/?token={used}", Cookie=None)
        self.server.token = self.server.next_token()
        other = headers["location"].removeprefix("/#pass=")
        for protocol in (None, "", "sinew", "sinew, ", f"sinew, {self.server.key[:-1]}", f"sinew, {self.server.key}0", f"sinew, {other}", f"x{self.server.key}"):
            self.assertEqual(self.page(Sec_WebSocket_Protocol=protocol).status, 401, protocol)
        stolen = headers["set-cookie"].split(";")[0].partition("=")[2]
        for bearer in (stolen, self.server.key):
            self.assertEqual(self.page(Cookie=None, Authorization=f"Bearer {bearer}", Sec_WebSocket_Protocol="sinew").status, 401, bearer)
        page = self.page()
        self.assertEqual(page.status, 101)
        self.assertEqual(page.headers["sec-websocket-protocol"], "sinew", "a browser closes what answers otherwise")
        self.assertEqual(self.page(Cookie=headers["set-cookie"].split(";")[0], Sec_WebSocket_Protocol=f"sinew, {other}").status, 101)

    def test_no_other_server_of_this_machine_shares_its_address(self):
        self.assertRegex(self.server.address, r"^127\.\d+\.\d+\.\d+$")
        self.assertNotEqual(self.server.address, "127.0.0.1", "cookies do not know ports")
        other = Server(Case.sinew, str(self.folder / "swing.charli"))
        self.addCleanup(other.stop)
        self.assertNotEqual(self.server.address, other.address)

    def test_the_page_comes_with_a_strict_policy_and_a_fresh_nonce(self):
        nonces = set()
        for _ in range(2):
            status, headers, body = self.server.get("/")
            policy = headers["content-security-policy"]
            self.assertEqual(status, 200)
            self.assertTrue(policy.startswith("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-"))
            for part in ("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "connect-src 'self'"):
                self.assertIn(part, policy)
            self.assertNotIn("unsafe", policy)
            self.assertNotIn(b"__NONCE__", body)
            nonces.add(policy.split("nonce-")[1].split("'")[0])
            self.assertEqual(headers["x-content-type-options"], "nosniff")
            self.assertEqual(headers["referrer-policy"], "no-referrer")
            self.assertEqual(headers["cross-origin-opener-policy"], "same-origin")
            self.assertEqual(headers["cross-origin-resource-policy"], "same-origin")
            self.assertEqual(headers["cache-control"], "no-store")
            self.assertNotIn("access-control-allow-origin", headers)
        self.assertEqual(len(nonces), 2)

    def test_what_the_page_names_is_there(self):
        body = self.server.get("/")[2].decode()
        for part in body.split('"'):
            if part.startswith(("./assets/", "/assets/", "assets/")):
                status, headers, _ = self.server.get("/" + part.lstrip("./"))
                self.assertEqual(status, 200, part)
                self.assertNotEqual(headers["content-type"], "application/octet-stream", part)

    def test_another_name_for_this_machine_is_refused(self):
        for host in ("evil.example", f"evil.example:{self.server.port}", "127.0.0.1", f"127.0.0.1.:{self.server.port}",
                     f"localhost.:{self.server.port}", f"127.0.0.1:{self.server.port + 1}", "", None,
                     f"127.0.0.1:{self.server.port}@evil.example", f"[::1]:{self.server.port}",
                     f"0.0.0.0:{self.server.port}", f"LOCALHOST:{self.server.port}"):
            self.assertEqual(self.server.get("/", Host=host)[0], 421, host)
            self.assertEqual(self.page(Host=host).status, 421, host)
        self.assertEqual(self.server.get("/", Host=f"localhost:{self.server.port}")[0], 421, "it means 127.0.0.1")

    def test_two_hosts_are_refused(self):
        text = f"GET / HTTP/1.1\r\nHost: {self.server.host}\r\nHost: evil.example\r\nCookie: {self.server.cookie()}\r\n\r\n"
        self.assertIn(parse_response(self.server.exchange(text.encode()))[0], (400, 421))

    def test_pages_of_others_are_refused(self):
        for origin in ("http://evil.example", "null", "", f"https://{self.server.host}", f"{self.server.origin}/",
                       f"http://127.0.0.1:{self.server.port + 1}", f"http://localhost:{self.server.port}",
                       f"{self.server.origin}.evil.example", "file://"):
            self.assertEqual(self.server.get("/", Origin=origin)[0], 403, origin)
            self.assertEqual(self.page(Origin=origin).status, 403, origin)
        self.assertEqual(self.page(Origin=None).status, 403, "a WebSocket always has an origin")
        self.assertEqual(self.server.get("/", Origin=self.server.origin)[0], 200)

    def test_without_the_token_nobody_gets_in(self):
        name, token = self.server.cookie().split("=")
        wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
        for cookie in (None, "", f"{name}=", f"{name}={wrong}", f"{name}={token}0", f"{name}={token[:-1]}", f"other={token}",
                       f"x{name}={token}", token):
            for target in ("/", "/ws", "/nothing", "/index.html"):
                self.assertEqual(self.server.get(target, Cookie=cookie)[0], 401, cookie)
            self.assertEqual(self.page(Cookie=cookie).status, 401, cookie)
        for target in (f"/?token={wrong}", "/?token=", "/?token", f"/?x=1&token={token}", f"/?token={token}&x=1",
                       f"/index.html?token={token}", f"//?token={token}"):
            self.assertEqual(self.server.get(target, Cookie=None)[0], 401, target)
        self.assertEqual(self.server.get("/", Cookie=None, Authorization=f"Bearer {wrong}")[0], 401)
        self.assertEqual(self.server.get("/", Cookie=None, Authorization=f"Bearer {token}")[0], 200)
        self.assertEqual(self.server.get("/", Cookie=f"a=b; {name}={token}; c=d")[0], 200)

    def test_only_get_and_head(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "NONSENSE"):
            status, headers, _ = self.server.get("/", method=method)
            self.assertEqual((status, headers.get("allow")), (405, "GET, HEAD"), method)
        status, headers, body = self.server.get("/", method="HEAD")
        self.assertEqual((status, body), (200, b""))
        self.assertGreater(int(headers["content-length"]), 0)

    def test_no_bodies(self):
        self.assertEqual(self.server.get("/", Content_Length="5")[0], 413)
        self.assertEqual(self.server.get("/", Content_Length="99999999999")[0], 413)
        self.assertEqual(self.server.get("/", Transfer_Encoding="chunked")[0], 413)

    def test_nothing_is_read_from_disk_by_address(self):
        for target in ("/../swing.charli", "/swing.charli", "/..%2f..%2fetc/passwd", "/%2e%2e/swing.charli", "//etc/passwd",
                       "/assets/../index.html", "/index.html/", "/./", "/\\..\\swing.charli", "/assets/", "/index.html%00"):
            self.assertIn(self.server.get(target)[0], (400, 404), target)
        self.assertEqual(self.server.get("http://evil.example/")[0], 400)
        self.assertEqual(self.server.get("*")[0], 400)

    def test_headers_are_bounded(self):
        self.assertEqual(self.server.get("/", X="a" * 7000)[0], 200)
        self.assertEqual(self.server.get("/", X="a" * 9000)[0], 431)
        self.assertEqual(self.server.get("/" + "a" * 9000)[0], 431)
        many = {f"X{i}": "1" for i in range(2000)}
        self.assertEqual(self.server.get("/", **many)[0], 431)

    def test_what_is_not_http_is_refused(self):
        for data in (b"\r\n\r\n\r\n", b"hello\r\n\r\n", b"GET\r\n\r\n", bytes(range(256)) * 8, b"GET / HTTP/9.9\r\n\r\n",
                     b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(600), b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
                     b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"):
            answer = self.server.exchange(data)
            self.assertIn(parse_response(answer)[0] if answer else 400, (400, 413, 421, 431), data[:20])
        self.check_serving()

    def test_requests_that_follow_each_other_on_one_connection(self):
        request = f"GET / HTTP/1.1\r\nHost: {self.server.host}\r\nCookie: {self.server.cookie()}\r\n\r\n".encode()
        with self.server.socket() as connection:
            connection.sendall(request * 3 + request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            self.assertEqual(read_all(connection).count(b"HTTP/1.1 200 OK"), 4)


class MaliceTest(Case):
    """Everything at once against one server, whose memory is weighed at the end."""

    def test_1_slow_headers_and_idle_connections_are_ended(self):
        begin = time.monotonic()
        idle = [self.server.socket() for _ in range(30)]
        with self.server.socket() as connection:
            try:
                for letter in f"GET / HTTP/1.1\r\nHost: {self.server.host}\r\nX-Slow: " + "a" * 1000:
                    connection.sendall(letter.encode())
                    time.sleep(0.05)
                self.fail("letters may trickle in for ever")
            except (BrokenPipeError, ConnectionResetError):
                pass
        self.assertLess(time.monotonic() - begin, 10)
        self.assertGreater(time.monotonic() - begin, 3)
        for connection in idle:
            self.assertEqual(read_all(connection), b"")
            connection.close()
        self.check_serving()

    def test_too_many_pages(self):
        pages = [self.opened() for _ in range(8)]
        self.assertEqual(self.page().status, 503)
        self.assertEqual(self.server.get("/")[0], 200)
        pages[0].close()
        for _ in range(100):
            if self.page().status == 101:
                return
            time.sleep(0.02)
        self.fail("a place that is free again is not given away")

    def tearDown(self):
        self.doCleanups()
        time.sleep(0.05)  # the server notices that they have gone

    def test_too_many_connections(self):
        connections = [self.server.socket() for _ in range(200)]
        for connection in connections:
            connection.close()
        time.sleep(0.1)
        self.check_serving()

    def test_idle_strangers_do_not_lock_the_owner_out(self):
        self.server.cookie()
        strangers = []
        for _ in range(5):  # renewed, as one would who means it
            strangers += [self.server.socket() for _ in range(100)]
            begin = time.monotonic()
            self.check_serving()
            self.assertLess(time.monotonic() - begin, 4, "an idle connection is ended after 5 s")
        for connection in strangers:
            connection.close()

    def closing(self, send):
        """The code a page is closed with after sending something."""
        page = self.page()
        try:
            send(page)
            while True:
                page.receive()
        except Closed as code:
            return code.args[0] if code.args else None
        except (BrokenPipeError, ConnectionResetError):
            return None
        finally:
            page.close()

    def test_malformed_frames_end_the_connection(self):
        play = b'{"type":"play"}'
        self.assertEqual(self.closing(lambda p: p.send_raw(1, play, masked=False)), 1002)
        self.assertEqual(self.closing(lambda p: p.send_raw(3, play)), 1002)
        self.assertEqual(self.closing(lambda p: p.send_raw(0, play)), 1002)
        self.assertEqual(self.closing(lambda p: p.send_raw(9, bytes(126))), 1002)
        self.assertEqual(self.closing(lambda p: p.send_raw(1, b"\xff\xfe\xfd")), 1007)
        self.assertEqual(self.closing(lambda p: p.send_raw(2, b"binary")), 1003)
        # Where more is on its way than is read, TCP may lose the last word.
        self.assertIn(self.closing(lambda p: p.send_raw(1, b"a" * ((1 << 20) + 1))), (1009, None))
        self.assertEqual(self.closing(lambda p: p.connection.sendall(b"\x81\xff" + b"\xff" * 8 + bytes(4))), 1009)
        self.assertEqual(self.closing(lambda p: p.connection.sendall(b"\x81\xff" + b"\x7f" + b"\xff" * 7 + bytes(4))), 1009)
        self.assertIn(self.closing(lambda p: p.connection.sendall(bytes([0xf1, 0x80]) + bytes(4))), (1002, None))

        def fragments(page):
            for _ in range(2000):
                page.send_raw(1 if _ == 0 else 0, b"a" * 1000, fin=False)
        self.assertIn(self.closing(fragments), (1009, None))
        self.check_serving()

    def test_messages_that_make_no_sense_get_a_notice(self):
        page = self.opened()
        for text in ("", "{", "[]", "null", "7", '"play"', "{}", '{"type":7}', '{"type":"dance"}', '{"type":"seek"}',
                     '{"type":"seek","frame":-1}', '{"type":"seek","frame":1.5}', '{"type":"seek","frame":1e400}',
                     '{"type":"seek","frame":"1"}', '{"type":"seek","frame":99999999999999999999}',
                     '{"type":"speed","value":0}', '{"type":"speed","value":NaN}', '{"type":"speed","value":1e9}',
                     '{"type":"grab","object":1}', '{"type":"grab","object":-1,"target":[0,0,0]}',
                     '{"type":"grab","object":1,"target":[0,0]}', '{"type":"grab","object":1,"target":[0,0,"0"]}',
                     '{"type":"grab","object":1,"target":[1e99,0,0]}', '{"type":"loop","on":1}',
                     '{"type":"show","forces":true,"residuals":true}', '{"type":"parameter","name":"length"}',
                     '{"type":"parameter","name":7,"value":1}', '{"type":"script"}', '{"type":"save","name":7}',
                     '{"type":"save","name":"' + "a" * 300 + '"}', '{"type":"script","text":"a"} x',
                     "[" * 100000, '{"a":' * 100000, '{"type":"play","x":' + "[" * 40 + "]" * 40 + "}"):
            page.send_raw(1, text.encode())
            notice = page.wait("notice")
            self.assertEqual(notice["severity"], "error", text[:60])
            self.assertLess(len(notice["text"]), 200)
        # Sound messages about things that do not exist.
        for kind, fields in (("grab", {"object": 4000000000, "target": [0, 0, 0]}), ("pin", {"object": 99}),
                             ("unpin", {"object": 99}), ("move", {"object": 99, "by": [1, 0, 0]}),
                             ("tie", {"object": 1, "place": [0, 0, 0], "other": 99, "other_place": [0, 0, 0]}),
                             ("thread", {"bead": 99, "object": 1, "place": [0, 0, 0]}), ("cut", {"object": 99, "place": [0, 0, 0]}),
                             ("loosen", {"object": 99, "place": [0, 0, 0]}), ("pin", {"object": 99, "place": [0, 0, 0]}),
                             ("parameter", {"name": "nothing", "value": 1}), ("grab", {"object": 0, "target": [0, 0, 0]})):
            page.send(kind, **fields)
            self.assertTrue(page.wait("notice")["text"], kind)
        page.send("select", object=4000000000)
        page.send("seek", frame=10)
        page.wait("status", lambda s: s["frame"] == 10)

    def random_message(self, chance):
        words = ["play", "pause", "step", "seek", "speed", "loop", "restart", "grab", "drag", "release", "move", "pin",
                 "unpin", "tie", "thread", "cut", "loosen", "select", "show", "parameter", "script", "undo", "redo", "dance",
                 "watch", "complete", "hover", "call", "definition"]
        values = [0, 1, -1, 2, 5, 1e9, -1e9, 0.5, True, False, None, "length", "start", "", [0, 0, 0], [1, -1, 0], [1], {},
                  [[[[]]]], "bob", SWING, SWING.replace("mass(2)", "mass(3)"), "def", "é", 96]
        names = ["by", "frame", "value", "on", "object", "target", "forces", "residuals", "contacts", "layers",
                 "name", "text"]
        message = {"type": chance.choice(words)}
        for name in chance.sample(names, chance.randrange(5)):
            message[name] = chance.choice(values)
        # Half of them with the fields they need, so that something happens.
        if chance.random() < 0.5:
            message |= {"by": chance.choice([1, -3, [0.1, 0, 0]]), "frame": chance.randrange(97), "on": True,
                        "value": chance.uniform(0.2, 3), "object": chance.randrange(4), "other": 1, "bead": 2, "place": [0, 1, 0], "other_place": [1, 0, 0],
                        "target": [chance.uniform(-2, 2) for _ in range(3)], "forces": True, "residuals": False, "contacts": True,
                        "layers": True, "name": "length", "text": SWING, "id": 1, "offset": chance.randrange(60),
                        "list": [{"kind": chance.choice(["object", "probe", "load", "cow"]), "number": chance.choice([0, 2, 4e9, -1])}]}
        text = json.dumps(message)
        if chance.random() < 0.2:
            at = chance.randrange(len(text))
            text = text[:at] + chr(chance.randrange(32, 127)) + text[at + 1:]
        return text

    def test_ten_thousand_random_messages(self):
        chance = random.Random(SEED)
        pages = [self.opened() for _ in range(3)]
        readers = []
        for page in pages:
            def drain(page=page):
                try:
                    while True:
                        page.receive()
                except (Closed, OSError):
                    pass
            readers.append(threading.Thread(target=drain, daemon=True))
            readers[-1].start()
        begin = time.monotonic()
        sent = 0
        while sent < 10000:
            chance.choice(pages).send_raw(1, self.random_message(chance).encode())
            sent += 1
        seconds = time.monotonic() - begin
        for page in pages:
            page.connection.shutdown(socket.SHUT_RDWR)
        for reader in readers:
            reader.join(5)
        self.assertIsNone(self.server.process.poll(), f"seed {SEED}")
        self.check_serving()
        page = self.opened()
        page.send("script", text=SWING)
        page.wait("problems", lambda p: p["list"] == [])
        page.send("restart")
        page.send("seek", frame=7)
        page.wait("status", lambda s: s["frame"] == 7)
        self.assertLess(seconds, 30, f"seed {SEED}")

    def check_memory(self, most_kb):
        """What has ended is given back soon, on a busy machine a little later; a leak never."""
        begin = time.monotonic()
        while self.server.memory_kb() >= most_kb and time.monotonic() - begin < 10:
            time.sleep(0.1)
        self.assertLess(self.server.memory_kb(), most_kb)

    def test_a_hundred_comings_and_goings_leave_no_memory(self):
        def come_and_go(count):
            for i in range(count):
                with Page(self.server) as page:
                    if i % 3:
                        page.wait("scene")
                    if i % 2:
                        page.send("play")
        come_and_go(30)
        time.sleep(0.2)
        before = self.server.memory_kb()
        come_and_go(100)
        self.check_memory(before + 4000)
        self.check_serving()

    def test_who_does_not_read_gets_the_newest_and_costs_nothing(self):
        # Polygons of 400 corners each make frames of some 400 kB.
        corners = ", ".join("cos(k * 0.0157), sin(k * 0.0157) + i, 0".replace("k", str(k)) for k in range(400))
        page = self.opened()
        heavy = SWING + f"for i in 1..80 polygon({corners}); end;\n"
        page.send("script", text=heavy)
        page.wait("problems", lambda p: p["list"] == [])
        page.wait_frame(lambda frame: frame.point_count > 30000)
        page.send("loop", on=True)
        page.send("speed", value=10)
        page.send("play")
        slow = self.page(receive_buffer=4096)
        self.assertEqual(slow.status, 101)
        page.wait("status", lambda s: s["valid"] == s["frame_count"]) # frames that are kept cost memory too
        time.sleep(0.5)
        before = self.server.memory_kb()
        seen = set()
        for _ in range(60):
            seen.add(page.wait_frame().frame)
        self.assertGreater(len(seen), 20, "the other page goes on")
        self.check_memory(before + 20000)
        page.send("script", text=SWING)
        page.wait("problems", lambda p: p["list"] == [])
        page.send("pause")
        # What it reads in the end is the newest, not all that there was.
        begin = time.monotonic()
        late = slow.wait_frame(lambda frame: frame.point_count < 1000, limit_s=10)
        self.assertLess(time.monotonic() - begin, 10)
        self.assertLess(late.point_count, 1000)


class SlowTest(Case):
    """A frame that takes minutes is broken off for whatever a person wants."""
    script = """\
param length = 1 [0.1..10];
def ground obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 1); box(length, 1, 1); end;
ground;
crate translatey(2);
simulate(0 sec, 4 sec, step = 1e-8);
"""

    def within(self, name, begin):
        seconds = time.monotonic() - begin
        print(f"slow frame, {name}: {seconds:.2f} s", file=sys.stderr)
        self.assertLess(seconds, 10, name)  # of a machine that may be very busy; 1 s of a quiet one

    def test_edits_and_saving_do_not_wait_for_a_frame(self):
        page = self.opened()
        page.wait("status", lambda status: status.get("busy_seconds", 0) >= 1)
        begin = time.monotonic()
        page.send("parameter", name="length", value=2)
        page.wait("script", lambda script: "param length = 2" in script["text"])
        self.within("slider", begin)
        time.sleep(1)
        begin = time.monotonic()
        page.send("save", name="kept.charli")
        page.wait("saved")
        self.within("save", begin)
        self.assertIn("param length = 2", (self.folder / "kept.charli").read_text())
        time.sleep(1)
        begin = time.monotonic()
        page.send("script", text=SWING.replace("mass(2)", "mass(3)"))
        page.wait("problems", lambda problems: problems["list"] == [])
        self.within("script", begin)
        page.wait("status", lambda status: status["valid"] == 97)


class CommandTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="sinew-view-")
        self.addCleanup(scratch.cleanup)
        self.script = pathlib.Path(scratch.name) / "swing.charli"
        self.script.write_text(SWING)

    def run_view(self, *arguments):
        return subprocess.run([Case.sinew, "view", "--no-open", *arguments], capture_output=True, text=True, timeout=20)

    def test_files_and_addresses_that_are_none(self):
        for arguments, status, fact in (((str(self.script) + "x",), 1, "no such file"),
                                        ((str(self.script.parent),), 1, "not a file"),
                                        ((str(self.script), "--listen", "nowhere"), 1, "not an IP address"),
                                        ((str(self.script), "--listen", "127.0.0.1:x"), 2, "not an address"),
                                        ((str(self.script), "--listen", "192.0.2.1"), 1, "cannot be listened at"),
                                        ((str(self.script), "--port", "99999"), 2, "")):
            done = self.run_view(*arguments)
            self.assertEqual(done.returncode, status, arguments)
            self.assertIn(fact, done.stderr)
            self.assertNotIn("token", done.stdout)

    def test_the_key_stands_in_no_command_line(self):
        """Other people on this machine can read those."""
        folder = self.script.parent
        (folder / "xdg-open").write_text(f'#!/bin/sh\nstat -c %a "$1" > {shlex.quote(str(folder))}/mode\ncp "$1" {shlex.quote(str(folder))}/page\n'
                                         f'echo "$@" > {shlex.quote(str(folder))}/words\n')
        (folder / "xdg-open").chmod(0o755)
        process = subprocess.Popen([Case.sinew, "view", str(self.script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "DISPLAY": ":0", "PATH": f"{folder}:{os.environ['PATH']}", "XDG_RUNTIME_DIR": str(folder)})
        try:
            token = re.search("token=([0-9a-f]+)", process.stdout.readline())[1]
            for _ in range(200):
                if (folder / "words").exists() and (folder / "words").read_text().endswith("\n"):
                    break
                time.sleep(0.05)
            words = (folder / "words").read_text().strip()
            self.assertNotIn(token, words)
            self.assertIn(token, (folder / "page").read_text())
            self.assertEqual((folder / "mode").read_text(), "600\n")
            self.assertNotIn(token, pathlib.Path(f"/proc/{process.pid}/cmdline").read_text())
        finally:
            process.terminate()
            process.communicate(timeout=20)
        self.assertFalse(pathlib.Path(words).exists(), "and goes with the program")

    def test_two_cannot_have_one_port(self):
        server = Server(Case.sinew, str(self.script), "--listen", "127.0.0.1")
        self.addCleanup(server.stop)
        done = self.run_view(str(self.script), "--port", str(server.port))
        self.assertEqual(done.returncode, 1)
        self.assertIn("--port", done.stderr)

    def test_interrupts_end_it_cleanly_with_pages_open(self):
        for wanted in (signal.SIGINT, signal.SIGTERM):
            server = Server(Case.sinew, str(self.script))
            page = Page(server)
            page.wait("scene")
            page.send("play")
            status, seconds = server.stop(wanted)
            self.assertEqual(status, 0)
            self.assertLess(seconds, 3)
            with self.assertRaises(Closed):
                while True:
                    page.receive()
            page.close()

    def test_it_ends_when_the_last_page_is_closed(self):
        server = Server(Case.sinew, str(self.script), "--exit-when-closed")
        self.addCleanup(server.stop)
        time.sleep(0.5)
        self.assertIsNone(server.process.poll(), "not before the first page comes")
        with Page(server) as page:
            page.wait("scene")
            time.sleep(0.3)
        time.sleep(1)
        with Page(server) as page:  # loaded anew
            page.wait("scene")
        begin = time.monotonic()
        self.assertEqual(server.process.wait(10), 0)
        self.assertGreater(time.monotonic() - begin, 2)

    def test_listening_elsewhere_says_what_it_means(self):
        for address, host in (("127.0.0.2", "127.0.0.2"), ("0.0.0.0", "127.0.0.1")):
            server = Server(Case.sinew, str(self.script), "--listen", address)
            self.assertEqual(server.address, host)
            self.assertEqual(server.get("/")[0], 200)
            self.assertEqual(server.get("/", Host=f"evil.example:{server.port}")[0], 421)
            self.assertEqual(server.get("/", Cookie=None)[0], 401)
            self.assertEqual(server.get("/", Host=f"localhost:{server.port}")[0], 200 if host == "127.0.0.1" else 421)
            server.process.send_signal(signal.SIGTERM)
            _, errors = server.process.communicate(timeout=10)
            self.assertEqual("not encrypted" in errors, address == "0.0.0.0")


if __name__ == "__main__":
    print(f"seed {SEED} (SINEW_SEED={SEED} repeats it)", file=sys.stderr)
    main()
