#!/usr/bin/env python3
"""What ./dev fetches itself is checked before it is written. dev_test.py SINEW (which is not used)"""
import base64
import functools
import hashlib
import http.server
import os
import pathlib
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTENT = b"what is wanted"
HASH = "sha512-" + base64.b64encode(hashlib.sha512(CONTENT).digest()).decode()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        pages = {"/file": (200, {}, CONTENT), "/moved": (302, {"Location": "/file"}, b""), "/round": (302, {"Location": "/round"}, b"")}
        status, headers, body = pages.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@unittest.skipUnless(shutil.which("openssl") and shutil.which("node"), "openssl or node is missing")
class FetchTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sinew-fetch-"))
        self.addCleanup(shutil.rmtree, self.folder)
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        server = http.server.ThreadingHTTPServer(("localhost", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.fetch = functools.partial(self.run_fetch, server.server_address[1], certificate)

    def run_fetch(self, port, certificate, page, integrity=HASH, trusted=True):
        out = self.folder / "out"
        environment = {name: value for name, value in os.environ.items() if name != "NODE_EXTRA_CA_CERTS"}
        if trusted:
            environment["NODE_EXTRA_CA_CERTS"] = str(certificate)
        done = subprocess.run(["node", ROOT / "tools/fetch.mjs", f"https://localhost:{port}{page}", integrity, out], env=environment,
                              capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr, out.read_bytes() if out.exists() else None

    def test_what_has_the_hash_is_written(self):
        for page in ("/file", "/moved"):
            self.assertEqual(self.fetch(page), (0, "", CONTENT))

    def test_anything_else_is_not(self):
        for page, integrity, trusted, why in (("/file", "sha512-AAAA", True, "has the hash sha512-"), ("/nothing", HASH, True, "answers 404"),
                                              ("/round", HASH, True, "answers 302"), ("/file", HASH, False, "certificate")):
            with self.subTest(page, why=why):
                status, said, written = self.fetch(page, integrity, trusted)
                self.assertEqual((status, written), (1, None))
                self.assertIn(why, said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
