"""The server under test, a small WebSocket client and a script, with nothing but Python's standard library."""
import base64
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

LIMIT_S = 20

SWING = """\
# a comment that stays
param length = 1 [0.1..10] "of the rod";
param start = -30 deg [-90 deg..90 deg];
dynamic theta;
theta = initial(start, 0);
def bob mass(2); end;
def pivot label(); end;
pivot;
bob translatex(length) rotatez(theta);
line(0, 0, 0, bob_x, bob_y, 0);
simulate(0 sec, 4 sec);
"""


class Server:
    """A running `sinew view`."""

    def __init__(self, sinew, *arguments, cwd=None):
        self.process = subprocess.Popen([sinew, "view", "--no-open", *arguments], cwd=cwd, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.url = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://(.*):(\d+)/\?token=([0-9a-f]{32,})", self.url)
        if not found:
            self.process.kill()
            raise AssertionError(f"no address: {self.url!r} {self.process.communicate()[1]!r}")
        self.address, self.port, self.token = found[1], int(found[2]), found[3]
        self.host = f"{self.address}:{self.port}"
        self.origin = f"http://{self.host}"
        self.session = self.key = None

    def cookie(self):
        """The session's, for which the token is given at the first time."""
        if not self.session:
            request = f"GET /?token={self.token} HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n\r\n"
            headers = parse_response(self.exchange(request.encode()))[1]
            self.session, self.key = headers["set-cookie"].split(";")[0], headers["location"].removeprefix("/#pass=")
            self.token = self.next_token()
        return self.session

    def next_token(self):
        """What the program says when one was used."""
        return re.fullmatch(rf"another browser: {re.escape(self.origin)}/\?token=([0-9a-f]{{32,}})",
                            self.process.stdout.readline().strip())[1]

    def socket(self, receive_buffer=None):
        made = socket.socket()
        if receive_buffer:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        made.settimeout(LIMIT_S)
        made.connect((self.address.strip("[]"), self.port))
        return made

    def exchange(self, data):
        """Sends bytes, gives all that comes back until the other side closes."""
        with self.socket() as connection:
            try:
                connection.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass
            return read_all(connection)

    def get(self, target, method="GET", close=True, **headers):
        """Status, headers and body of a request with the right Host and token, unless told otherwise."""
        sent = {"Host": self.host, "Cookie": self.cookie()}
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        if close:
            sent["Connection"] = "close"
        text = f"{method} {target} HTTP/1.1\r\n"
        text += "".join(f"{name}: {value}\r\n" for name, value in sent.items() if value is not None)
        return parse_response(self.exchange(text.encode("latin-1") + b"\r\n"))

    def memory_kb(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])

    def stop(self, wanted=signal.SIGTERM):
        """The exit status, and how long it took."""
        begin = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(wanted)
        try:
            self.process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
        return self.process.returncode, time.monotonic() - begin


def read_all(connection):
    data = b""
    try:
        while part := connection.recv(65536):
            data += part
    except ConnectionResetError:
        pass
    return data


def parse_response(data):
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    status = int(lines[0].split()[1]) if lines[0] else 0
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return status, headers, body


class Closed(Exception):
    pass


class Page:
    """The page's side of the WebSocket."""

    def __init__(self, server, receive_buffer=None, **headers):
        self.server = server
        self.connection = server.socket(receive_buffer)
        self.buffer = b""
        self.frames = []
        sent = {"Host": server.host, "Origin": server.origin, "Cookie": server.cookie(), "Upgrade": "websocket",
                "Sec-WebSocket-Protocol": f"sinew, {server.key}",
                "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode()}
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        text = "GET /ws HTTP/1.1\r\n"
        text += "".join(f"{name}: {value}\r\n" for name, value in sent.items() if value is not None)
        self.connection.sendall(text.encode("latin-1") + b"\r\n")
        while b"\r\n\r\n" not in self.buffer:
            part = self.connection.recv(65536)
            if not part:
                break
            self.buffer += part
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status, self.headers, _ = parse_response(head + b"\r\n\r\n") if head else (0, {}, b"")

    def close(self):
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send_raw(self, opcode, payload, fin=True, masked=True):
        head = bytes([(0x80 if fin else 0) | opcode])
        bit = 0x80 if masked else 0
        if len(payload) < 126:
            head += bytes([bit | len(payload)])
        elif len(payload) < 65536:
            head += bytes([bit | 126]) + struct.pack(">H", len(payload))
        else:
            head += bytes([bit | 127]) + struct.pack(">Q", len(payload))
        if masked:  # with zeros: the payload stays readable, which is allowed
            head += bytes(4)
        self.connection.sendall(head + payload)

    def send(self, kind, **fields):
        self.send_raw(1, json.dumps({"type": kind, **fields}).encode())

    def take(self, count):
        while len(self.buffer) < count:
            part = self.connection.recv(1 << 20)
            if not part:
                raise Closed
            self.buffer += part
        out, self.buffer = self.buffer[:count], self.buffer[count:]
        return out

    def receive(self):
        """The next message: a dict of a text, a Frame of bytes, None of a ping, which is answered."""
        first, second = self.take(2)
        length = second & 127
        if length == 126:
            length = struct.unpack(">H", self.take(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.take(8))[0]
        payload = self.take(length)
        opcode = first & 15
        if opcode == 1:
            return json.loads(payload)
        if opcode == 2:
            return Frame(payload)
        if opcode == 8:
            raise Closed(struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else None)
        if opcode == 9:
            self.send_raw(10, payload)
        return None

    def wait(self, kind, accept=lambda message: True, limit_s=LIMIT_S):
        """The next text of a type that fits; frames on the way are kept in self.frames."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            self.connection.settimeout(max(0.01, end - time.monotonic()))
            try:
                message = self.receive()
            except TimeoutError:
                break
            if isinstance(message, Frame):
                self.frames.append(message)
            elif message and message["type"] == kind and accept(message):
                return message
        raise AssertionError(f"no {kind} within {limit_s} s")

    def wait_frame(self, accept=lambda frame: True, limit_s=LIMIT_S):
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            self.connection.settimeout(max(0.01, end - time.monotonic()))
            try:
                message = self.receive()
            except TimeoutError:
                break
            if isinstance(message, Frame) and accept(message):
                return message
        raise AssertionError(f"no frame within {limit_s} s")


class Frame:
    def __init__(self, data):
        (self.mark, self.revision, self.frame, self.stale, self.time, self.point_count, self.pose_count,
         self.force_count, self.residual_count, self.hand_count, self.contact_count, self.layer_count,
         _) = struct.unpack_from("<4Id8I", data)
        sizes = (3 * self.point_count, 12 * self.pose_count, 8 * self.force_count, self.residual_count,
                 6 * self.hand_count, 8 * self.contact_count, self.layer_count)
        assert len(data) == 56 + 4 * sum(sizes), "a frame is as long as its head says"
        numbers = struct.unpack_from(f"<{sum(sizes)}f", data, 56)
        parts, at = [], 0
        for size in sizes:
            parts.append(numbers[at:at + size])
            at += size
        self.points, self.poses, self.forces, self.residuals, self.hands, self.contacts, self.layers = parts


def object_of(scene, name):
    return next(i for i, thing in enumerate(scene["objects"]) if thing["name"] == name)


def point_of(scene, frame, name):
    """Where the ball of an object is."""
    number = object_of(scene, name)
    ball = next(e for e in scene["elements"] if e["kind"] == "sphere" and e.get("object") == number)
    return frame.points[3 * ball["first"]:3 * ball["first"] + 3]


class Case(unittest.TestCase):
    """A server on a script in a folder of its own."""
    sinew = ""
    script = SWING
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="sinew-view-")
        cls.folder = pathlib.Path(cls.scratch.name) / "work é"
        cls.folder.mkdir()
        (cls.folder / "swing.charli").write_text(cls.script)
        cls.server = Server(Case.sinew, str(cls.folder / "swing.charli"), *cls.arguments)

    @classmethod
    def tearDownClass(cls):
        status, seconds = cls.server.stop()
        cls.scratch.cleanup()
        assert status == 0, f"ends with {status}"
        assert seconds < 5, f"takes {seconds} s to end"

    def page(self, **headers):
        page = Page(self.server, **headers)
        self.addCleanup(page.close)
        return page

    def opened(self):
        """A page that has its scene."""
        page = self.page()
        self.assertEqual(page.status, 101)
        page.wait("welcome")
        page.scene = page.wait("scene")
        return page

    def check_serving(self):
        self.assertEqual(self.server.get("/")[0], 200)
        with Page(self.server) as page:
            page.wait("scene")


def main():
    Case.sinew = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=0 if len(sys.argv) < 2 else 2)
