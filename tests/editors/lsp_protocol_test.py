#!/usr/bin/env python3
"""The language server's protocol, byte by byte: lsp_protocol_test.py SINEW [SEED [ROUNDS]]

Whatever arrives on its standard input, the server neither crashes nor hangs: it answers, or it ends
with status 0 (after `shutdown`) or 1. Nothing but Python's standard library is needed.
"""
import copy
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SINEW = ""
SEED = 0
LIMIT_S = 20  # of one answer, or of one conversation that is sent in one piece
ROUNDS = 200

SCRIPT = """\
var length; length = 2; dynamic theta; theta = initial(0, 0); # é 𝄞
def tip label(); end;
def arm mass(1); tip translatex(length); end;
left = arm rotatez(theta);
line(0,0,0, left.tip_x, tip_y, 0);
if length > 3 tip; end;
"""
URI = "file:///nowhere/%C3%A9/script.charli"


def frame(body):
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def request(number, method, params=None):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


def notice(method, params=None):
    return {"jsonrpc": "2.0", "method": method, "params": params or {}}


def opening(text=SCRIPT, uri=URI):
    return notice("textDocument/didOpen",
                  {"textDocument": {"uri": uri, "languageId": "charli", "version": 1, "text": text}})


def changing(*changes, uri=URI, version=2):
    return notice("textDocument/didChange",
                  {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)})


def at(line, character, **more):
    return {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}, **more}


GREETING = [request(1, "initialize", {"processId": None, "capabilities": {}}), notice("initialized")]
FAREWELL = [request(99, "shutdown"), notice("exit")]
QUESTIONS = [
    request(10, "textDocument/completion", at(4, 14)),
    request(11, "textDocument/hover", at(1, 5)),
    request(12, "textDocument/definition", at(4, 18)),
    request(13, "textDocument/references", at(1, 5, context={"includeDeclaration": True})),
    request(14, "textDocument/prepareRename", at(1, 5)),
    request(15, "textDocument/rename", at(1, 5, newName="end_point")),
    request(16, "textDocument/formatting", {"textDocument": {"uri": URI}, "options": {"tabSize": 2}}),
    request(17, "textDocument/documentSymbol", {"textDocument": {"uri": URI}}),
    request(18, "textDocument/foldingRange", {"textDocument": {"uri": URI}}),
    request(19, "textDocument/semanticTokens/full", {"textDocument": {"uri": URI}}),
    request(20, "textDocument/signatureHelp", at(4, 14)),
    request(21, "textDocument/codeAction", {"textDocument": {"uri": URI}, "context": {"diagnostics": []},
                                            "range": {"start": {"line": 0, "character": 0},
                                                      "end": {"line": 4, "character": 0}}}),
]


class Ended:
    """What a server did with some bytes until its input ended."""

    def __init__(self, data):
        process = subprocess.run([SINEW, "lsp"], input=data, capture_output=True, timeout=LIMIT_S)
        self.status = process.returncode
        self.messages = read_frames(process.stdout)
        # A sanitizer's report ends with status 1 as well, but not silently.
        assert process.stderr == b"", f"on standard error: {process.stderr[:1000].decode(errors='replace')}"

    def answer(self, number):
        found = [m for m in self.messages if m.get("id") == number and "method" not in m]
        assert len(found) == 1, f"{len(found)} answers to request {number}: {self.messages}"
        return found[0]

    def shown(self, uri=URI):
        """The problems last published for a file."""
        lists = [m["params"]["diagnostics"] for m in self.messages
                 if m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri]
        return lists[-1] if lists else None


def read_frames(data):
    messages = []
    while data:
        head, _, data = data.partition(b"\r\n\r\n")
        name, _, length = head.partition(b": ")
        assert name == b"Content-Length" and length.isdigit(), f"no header: {head[:80]!r}"
        assert len(data) >= int(length), "a message is cut short"
        messages.append(json.loads(data[:int(length)]))
        data = data[int(length):]
    return messages


def talk(*messages):
    return Ended(b"".join(m if isinstance(m, bytes) else frame(m) for m in messages))


class Live:
    """A server spoken to turn by turn: sends, then waits for what comes back."""

    def __init__(self):
        self.process = subprocess.Popen([SINEW, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.watch = threading.Timer(LIMIT_S, self.process.kill)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.watch.cancel()
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def send(self, *messages):
        self.process.stdin.write(b"".join(frame(m) for m in messages))
        self.process.stdin.flush()

    def receive(self):
        self.watch.cancel()
        self.watch = threading.Timer(LIMIT_S, self.process.kill)
        self.watch.start()
        header = self.process.stdout.readline()
        assert header, f"the server ended or was silent for {LIMIT_S} s"
        self.process.stdout.readline()
        return json.loads(self.process.stdout.read(int(header.split(b":")[1])))

    def receive_until(self, is_wanted):
        while not is_wanted(message := self.receive()):
            pass
        return message

    def problems(self, uri=URI):
        message = self.receive_until(lambda m: m.get("method") == "textDocument/publishDiagnostics" and
                                     m["params"]["uri"] == uri)
        return message["params"]["diagnostics"]


class Lifetime(unittest.TestCase):
    def test_shutdown_then_exit_ends_well(self):
        ended = talk(*GREETING, *FAREWELL)
        self.assertEqual(ended.status, 0)
        self.assertIn("capabilities", ended.answer(1)["result"])
        self.assertIsNone(ended.answer(99)["result"])

    def test_exit_without_shutdown_has_status_1(self):
        self.assertEqual(talk(*GREETING, notice("exit")).status, 1)

    def test_the_end_of_the_input_ends_the_server(self):
        self.assertEqual(talk().status, 1)
        self.assertEqual(talk(*GREETING).status, 1)
        self.assertEqual(talk(*GREETING, FAREWELL[0]).status, 0)

    def test_after_shutdown_requests_are_refused(self):
        ended = talk(*GREETING, opening(), FAREWELL[0], QUESTIONS[0], FAREWELL[1])
        self.assertEqual(ended.answer(10)["error"]["code"], -32600)
        self.assertEqual(ended.status, 0)

    def test_exit_ends_it_though_more_follows(self):
        self.assertEqual(talk(*GREETING, *FAREWELL, b"more, unread").status, 0)

    def test_every_question_has_one_answer(self):
        ended = talk(*GREETING, opening(), *QUESTIONS, *FAREWELL)
        for question in QUESTIONS:
            self.assertIn("result", ended.answer(question["id"]), question["method"])
        self.assertEqual(ended.status, 0)


TOOLED = """\
# A weight that swings.
def bob(m, r = 2)
  mass(m) translatex(r);
end;
/* One
   of them. */
dynamic turn; turn = initial(1, 0);
left = bob(1, 2) rotatez(trun);
left = bob(2);
"""


class Tools(unittest.TestCase):
    def ask(self, method, line=0, character=0, text=TOOLED, **more):
        ended = talk(*GREETING, opening(text), request(5, "textDocument/" + method, at(line, character, **more)), *FAREWELL)
        self.assertEqual(ended.status, 0)
        return ended.answer(5)["result"]

    def test_call_help_names_the_argument(self):
        told = self.ask("signatureHelp", 7, 14)
        self.assertEqual(told["signatures"][0]["label"], "bob(m, r = 2)")
        self.assertEqual(told["activeParameter"], 1)

    def test_a_slip_has_a_quick_fix(self):
        fixes = self.ask("codeAction", range={"start": {"line": 7, "character": 0}, "end": {"line": 7, "character": 40}},
                         context={"diagnostics": []})
        edits = [edit for fix in fixes for edit in fix["edit"]["changes"][URI]]
        self.assertEqual([edit["newText"] for edit in edits], ["turn"])
        self.assertEqual(edits[0]["range"], {"start": {"line": 7, "character": 25}, "end": {"line": 7, "character": 29}})

    def test_the_outline_has_what_is_introduced(self):
        self.assertEqual([item["name"] for item in self.ask("documentSymbol")], ["bob", "turn", "left", "left"])

    def test_blocks_and_comments_fold(self):
        folds = self.ask("foldingRange")
        self.assertIn({"startLine": 1, "endLine": 3}, folds)
        self.assertIn({"startLine": 4, "endLine": 5, "kind": "comment"}, folds)

    def test_every_word_has_its_colour_and_lies_in_its_line(self):
        data = self.ask("semanticTokens/full")["data"]
        lines, line, character = TOOLED.splitlines(), 0, 0
        words = []
        for down, along, length, kind, _ in zip(*[iter(data)] * 5):
            character = along if down else character + along
            line += down
            self.assertLessEqual(character + length, len(lines[line]))
            words.append((lines[line][character:character + length], kind))
        kinds = dict(words)
        self.assertIn("/* One", kinds)
        self.assertEqual(kinds["def"], kinds["dynamic"])
        self.assertNotEqual(kinds["mass"], kinds["def"])

    def test_a_problem_names_the_other_place(self):
        with Live() as server:
            server.send(*GREETING, opening(TOOLED))
            related = [place for problem in server.problems() for place in problem.get("relatedInformation", [])]
        self.assertEqual([place["location"]["range"]["start"]["line"] for place in related], [7])

    def test_comments_above_a_def_are_told(self):
        self.assertIn("A weight that swings.", self.ask("hover", 7, 8)["contents"]["value"])

    def test_nothing_is_answered_before_the_greeting(self):
        ended = talk(QUESTIONS[1], *GREETING, *FAREWELL)
        self.assertEqual(ended.answer(11)["error"]["code"], -32002)
        self.assertEqual(ended.status, 0)


class Bytes(unittest.TestCase):
    def expect_end(self, ended):
        self.assertIn(ended.status, (0, 1))

    def test_garbage_ends_it(self):
        for data in (b"\0" * 100, b"\xff" * 5000, b"hello\r\n\r\n", b"\r\n\r\n", b"\n" * 1000,
                     b"Content-Length", b"Content-Length:", b"x" * 200_000, b"GET / HTTP/1.1\r\n\r\n"):
            with self.subTest(data[:20]):
                self.expect_end(talk(data))
                self.expect_end(talk(*GREETING, data))

    def test_wrong_lengths_end_it(self):
        good = json.dumps(GREETING[0]).encode()
        for length in (b"-1", b"0", b"5", b"abc", b"", b"1e3", b"99999999999999999999999999",
                       b"18446744073709551615", b"9223372036854775808", b"4294967296", b"67108865",
                       b"60000000", b"%d" % (len(good) + 1), b"%d" % (len(good) - 1)):
            with self.subTest(length):
                self.expect_end(talk(b"Content-Length: " + length + b"\r\n\r\n" + good, *FAREWELL))

    def test_a_huge_declared_length_takes_no_memory_of_that_size(self):
        begin = time.monotonic()
        self.expect_end(talk(b"Content-Length: 1000000000000\r\n\r\n{}"))
        self.assertLess(time.monotonic() - begin, 2)

    def test_headers_may_be_many_and_in_any_case(self):
        good = json.dumps(GREETING[0]).encode()
        for head in (b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d",
                     b"content-length:%d", b"CONTENT-LENGTH:   %d", b"Other: 1\nContent-Length: %d"):
            with self.subTest(head):
                ended = talk(head % len(good) + b"\r\n\r\n" + good, *FAREWELL)
                self.assertIn("result", ended.answer(1))
                self.assertEqual(ended.status, 0)

    def test_bodies_that_are_no_json_get_an_error_and_no_more(self):
        for body in (b"", b"{", b"nonsense", b"\xff\xfe", b'"text"', b"[]", b"null", b"3", b"{}{}",
                     b'{"method":"\xc3\x28"}', b'{"text":"\\ud800"}'):
            with self.subTest(body):
                ended = talk(*GREETING, frame(body), *FAREWELL)
                self.assertEqual(ended.status, 0)
                self.assertIn("result", ended.answer(1))
                self.assertEqual(ended.answer(None)["error"]["code"], -32700)

    def test_deep_nesting_does_no_harm(self):
        for opening_bracket, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            deep = opening_bracket * 300_000 + b"1" + closing * 300_000
            for body in (deep, b'{"id":1,"method":"initialize","params":' + deep + b"}",
                         b'{"id":' + deep + b',"method":"initialize"}',
                         b'{"method":"textDocument/didOpen","params":' + deep + b"}"):
                with self.subTest(body[:50]):
                    ended = talk(*GREETING, frame(body), *FAREWELL)
                    self.assertEqual(ended.status, 0)

    def test_an_answer_to_a_question_never_asked_is_ignored(self):
        ended = talk(*GREETING, {"jsonrpc": "2.0", "id": 5, "result": None}, *FAREWELL)
        self.assertEqual(ended.status, 0)
        self.assertEqual(len(ended.messages), 2)


class Shapes(unittest.TestCase):
    WRONG = [None, 3, -1, 2.5, 1e300, True, "text", "", [], [1], {}, {"a": 1},
             {"textDocument": None}, {"textDocument": 3}, {"textDocument": {}}, {"textDocument": []},
             {"textDocument": {"uri": 3}}, {"textDocument": {"uri": URI}},
             {"textDocument": {"uri": URI}, "position": None},
             {"textDocument": {"uri": URI}, "position": {"line": "a", "character": 1}},
             {"textDocument": {"uri": URI}, "position": {"line": 1}},
             {"textDocument": {"uri": URI}, "position": {"line": -1, "character": -1}},
             {"textDocument": {"uri": URI}, "position": {"line": 1e300, "character": 1e300}},
             {"textDocument": {"uri": URI}, "position": {"line": 2 ** 63, "character": 2 ** 64 - 1}},
             {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 5}, "newName": 3},
             {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 5}, "newName": ""},
             {"textDocument": {"uri": URI, "text": 3}}, {"textDocument": {"uri": URI, "version": []}},
             {"textDocument": {"uri": URI}, "contentChanges": 3},
             {"textDocument": {"uri": URI}, "contentChanges": [3]},
             {"textDocument": {"uri": URI}, "contentChanges": [{}]},
             {"textDocument": {"uri": URI}, "contentChanges": [{"text": "x", "range": 3}]},
             {"textDocument": {"uri": URI}, "contentChanges": [{"text": "x", "range": {"start": {}}}]},
             {"textDocument": {"uri": URI},
              "contentChanges": [{"text": "x", "range": {"start": {"line": 9, "character": 9},
                                                         "end": {"line": 0, "character": 0}}}]}]

    def test_wrong_parameters_are_refused_or_ignored(self):
        methods = ["initialize", "shutdown"] + [q["method"] for q in QUESTIONS]
        for method in methods:
            messages = [{"jsonrpc": "2.0", "id": 100 + i, "method": method, "params": params}
                        for i, params in enumerate(self.WRONG)]
            ended = talk(*GREETING, opening(), *messages, *FAREWELL)
            self.assertEqual(ended.status, 0, method)
            for message in messages:
                answer = ended.answer(message["id"])
                self.assertTrue(("result" in answer) != ("error" in answer), method)

    def test_wrong_notices_are_ignored(self):
        for method in ("initialized", "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
                       "textDocument/didSave", "$/cancelRequest", "$/setTrace", "workspace/didChangeConfiguration"):
            messages = [notice(method, params) | {"params": params} for params in self.WRONG]
            ended = talk(*GREETING, opening(), *messages, opening(), QUESTIONS[1], *FAREWELL)
            self.assertEqual(ended.status, 0, method)
            self.assertTrue(ended.answer(11)["result"], method)

    def test_messages_of_the_wrong_shape(self):
        shapes = [{}, {"id": 1}, {"method": 3}, {"method": None}, {"id": 7, "method": 3},
                  {"id": 7, "method": ["exit"]}, {"id": {"a": 1}, "method": "initialize"},
                  {"jsonrpc": 3, "method": "x"}, {"method": "textDocument/hover"},
                  {"id": "text", "method": "initialize"}, {"id": -5, "method": "initialize"},
                  {"id": None, "method": "initialize"}]
        ended = talk(*shapes, *GREETING, *FAREWELL)
        self.assertEqual(ended.status, 0)
        self.assertIn("result", ended.answer("text"))
        self.assertIn("result", ended.answer(-5))

    def test_unknown_methods_are_refused(self):
        for method in ("textDocument/unheard", "", "initialize ", "exit2", "workspace/symbol", "$/what"):
            ended = talk(*GREETING, request(7, method), notice(method), *FAREWELL)
            self.assertEqual(ended.answer(7)["error"]["code"], -32601, method)
            self.assertEqual(ended.status, 0)

    def test_documents_that_are_not_open_are_refused(self):
        ended = talk(*GREETING, *QUESTIONS, changing({"text": "x"}),
                     notice("textDocument/didClose", {"textDocument": {"uri": URI}}), *FAREWELL)
        for question in QUESTIONS:
            self.assertIn("not open", ended.answer(question["id"])["error"]["message"])
        self.assertEqual(ended.status, 0)

    def test_addresses_of_any_kind(self):
        for uri in ("", "untitled:Untitled-1", "file://", "file:///", "file:///%", "file:///%zz/a%2", "http://a/b",
                    "file:///a%00b.charli", "/plain/path.charli", "é𝄞", "file:///" + "x/" * 3000 + "y"):
            with self.subTest(uri[:40]):
                question = request(10, "textDocument/hover", {"textDocument": {"uri": uri},
                                                              "position": {"line": 0, "character": 1}})
                ended = talk(*GREETING, opening('include "parts.charli"; var a;', uri), question, *FAREWELL)
                self.assertEqual(ended.status, 0)
                self.assertIn("result", ended.answer(10))


class Documents(unittest.TestCase):
    def test_changes_are_applied_in_utf16_columns(self):
        with Live() as server:
            server.send(*GREETING, opening('param a = 1 "é𝄞"; def b mass(a); end; b transl(1);\n'))
            (problem,) = server.problems()
            self.assertEqual(problem["range"], {"start": {"line": 0, "character": 41},
                                                "end": {"line": 0, "character": 47}})
            change = {"range": {"start": {"line": 0, "character": 47}, "end": {"line": 0, "character": 47}},
                      "text": "atex"}
            server.send(changing(change))
            self.assertEqual(server.problems(), [])
            server.send(request(5, "textDocument/formatting", {"textDocument": {"uri": URI}}))
            self.assertEqual(server.receive_until(lambda m: m.get("id") == 5)["result"], [])

    def test_several_changes_come_in_order(self):
        insert = lambda line, character, text: {
            "range": {"start": {"line": line, "character": character}, "end": {"line": line, "character": character}},
            "text": text}
        ended = talk(*GREETING, opening(""), changing(insert(0, 0, "end;"), insert(0, 0, "mass(1); "),
                                                      insert(0, 0, "def b "), insert(0, 19, "\nb;\n")),
                     request(6, "textDocument/definition", at(1, 0)), *FAREWELL)
        self.assertEqual(ended.answer(6)["result"]["range"]["start"], {"line": 0, "character": 4})

    def test_a_change_beyond_the_end_lands_at_the_end(self):
        far = {"line": 1000, "character": 1000}
        ended = talk(*GREETING, opening("def b mass(1); end;"),
                     changing({"range": {"start": far, "end": far}, "text": " b;"}),
                     request(6, "textDocument/definition", at(0, 20)), *FAREWELL)
        self.assertEqual(ended.answer(6)["result"]["range"]["start"], {"line": 0, "character": 4})

    def test_problems_of_an_included_file_are_shown_in_it_and_taken_back(self):
        with tempfile.TemporaryDirectory() as folder:
            main, parts = (f"file://{folder}/{name}.charli" for name in ("z_main", "parts"))
            (pathlib.Path(folder) / "parts.charli").write_text("def wheel mas(1); end;\n")
            with Live() as server:
                server.send(*GREETING, opening('include "parts.charli"; wheel;', main))
                (problem,) = server.problems(parts)
                self.assertEqual(problem["range"]["start"], {"line": 0, "character": 10})
                # Open in the editor, its text counts, not the file's; each problem is shown once.
                server.send(opening("def wheel masss(1); end;\n", parts))
                (problem,) = server.problems(parts)
                self.assertIn("masss", problem["message"])
                server.send(changing({"text": "def wheel mass(1); end;\n"}, uri=parts))
                self.assertEqual(server.problems(parts), [])
                server.send(changing({"text": "def wheel mas(1); end;\n"}, uri=parts))
                self.assertEqual(len(server.problems(parts)), 1)
                for uri in (parts, main):
                    server.send(notice("textDocument/didClose", {"textDocument": {"uri": uri}}))
                while server.problems(parts):
                    pass

    def test_questions_do_not_repeat_the_problems(self):
        with Live() as server:
            server.send(*GREETING, opening("def b mas(1); end; b;"))
            self.assertEqual(len(server.problems()), 1)
            server.send(QUESTIONS[1])
            server.receive_until(lambda m: m.get("id") == 11)
            server.send(request(98, "nothing"))
            self.assertEqual(server.receive().get("id"), 98)

    def test_included_files_stay_in_the_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            inside = pathlib.Path(folder) / "inside"
            inside.mkdir()
            (pathlib.Path(folder) / "secret.charli").write_text("var secret;\n")
            (inside / "link.charli").symlink_to(pathlib.Path(folder) / "secret.charli")
            for name in ("../secret.charli", "link.charli", f"{folder}/secret.charli"):
                with self.subTest(name), Live() as server:
                    uri = f"file://{inside}/main.charli"
                    server.send(*GREETING, opening(f'include "{name}";', uri))
                    (problem,) = server.problems(uri)
                    self.assertEqual(problem["code"], "file-outside")

    def test_a_link_inside_the_folder_is_followed(self):
        with tempfile.TemporaryDirectory() as folder:
            base = pathlib.Path(folder)
            (base / "deeper").mkdir()
            (base / "own.charli").write_text("\n\ndef wheel mass(1); end;\n")
            (base / "deeper/link.charli").symlink_to("../own.charli")
            uri = f"file://{folder}/main.charli"
            with Live() as server:
                server.send(*GREETING, opening('include "deeper/link.charli"; wheel;', uri))
                server.send(request(6, "textDocument/definition",
                                    {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 31}}))
                found = server.receive_until(lambda m: m.get("id") == 6)["result"]
                self.assertEqual(found["uri"], f"file://{folder}/deeper/link.charli")
                self.assertEqual(found["range"]["start"], {"line": 2, "character": 4})

    def test_an_included_file_that_shrinks_meanwhile_does_no_harm(self):
        with tempfile.TemporaryDirectory() as folder:
            parts = pathlib.Path(folder) / "parts.charli"
            parts.write_text("# " + "long " * 100 + "\ndef wheel mass(1); end;\n")
            uri = f"file://{folder}/main.charli"
            where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 25}}
            with Live() as server:
                server.send(*GREETING, opening('include "parts.charli"; wheel;', uri))
                server.problems(uri)
                parts.write_text("")
                server.send(request(6, "textDocument/definition", where),
                            request(7, "textDocument/references", where),
                            request(8, "textDocument/rename", where | {"newName": "disc"}))
                for number in (6, 7, 8):
                    server.receive_until(lambda m: m.get("id") == number)

    def test_many_places_are_found_quickly(self):
        text = "def bob mass(1); end;\n" + "".join(f"b{i} = bob translatex({i});\n" for i in range(20_000))
        begin = time.monotonic()
        ended = talk(*GREETING, opening(text), request(6, "textDocument/rename", at(0, 5, newName="bobby")), *FAREWELL)
        self.assertEqual(len(ended.answer(6)["result"]["changes"][URI]), 20_001)
        self.assertLess(time.monotonic() - begin, 10)

    def test_a_long_conversation_stays_quick(self):
        text = SCRIPT + "".join(f"b{i} = arm translatex({i});\n" for i in range(300))
        begin = time.monotonic()
        with Live() as server:
            server.send(*GREETING, opening(text))
            for i in range(100):
                place = {"line": 4 + i, "character": 0}
                server.send(changing({"range": {"start": place, "end": place}, "text": "#"}))
            server.send(request(98, "nothing"))
            server.receive_until(lambda m: m.get("id") == 98)
        self.assertLess(time.monotonic() - begin, 10)


class Typing(unittest.TestCase):
    """Someone types at random, everywhere, and asks everything."""

    PIECES = ["", "", ";", "(", ")", "{", "}", "[", "]", ".", "..", ",", "=", "#", '"', " ", "\n", "\r\n", "é", "𝄞",
              "def ", "end", "if 0 > 1 ", "for i in 1..2 ", "else ", "tip", "tip_x", "left.", "left", "b[i] = arm ",
              "at 1 sec ", "linear ", "var q; ", "translatex(", "linkages(method = ", "on ", "param k = 2 [0..3]; ",
              'include "script.charli"; ', 'include "x" as y; ', "1", "5 cm", "initial(", "along "]

    def positions(self, text, offset):
        start = text.rfind("\n", 0, offset) + 1
        return {"line": text.count("\n", 0, offset),
                "character": len(text[start:offset].encode("utf-16-le")) // 2}

    def test_every_state_of_a_script_can_be_asked_about(self):
        rng = random.Random(SEED)
        scripts = sorted((pathlib.Path(__file__).resolve().parents[2]).glob("examples/**/*.charli"))
        scripts = [p for p in scripts if p.stem != "jungle"]  # half a second for every letter
        texts = [SCRIPT] + [p.read_text(encoding="utf-8") for p in rng.sample(scripts, min(6, len(scripts)))]
        for text in texts:
            with self.subTest(text[:60], seed=SEED), Live() as server:
                server.send(*GREETING, opening(text))
                for number in range(40):
                    begin = rng.randrange(len(text) + 1)
                    end = min(len(text), begin + rng.choice([0, 0, 0, 1, 3, 20]))
                    piece = rng.choice(self.PIECES)
                    server.send(changing({"range": {"start": self.positions(text, begin),
                                                    "end": self.positions(text, end)}, "text": piece},
                                         version=number + 2))
                    text = text[:begin] + piece + text[end:]
                    asked = []
                    for question in QUESTIONS:
                        question = copy.deepcopy(question)
                        question["id"] = 1000 * number + question["id"]
                        if "position" in question["params"]:
                            place = rng.choice([begin + len(piece), rng.randrange(len(text) + 1)])
                            question["params"]["position"] = self.positions(text, place)
                        asked.append(question)
                    server.send(*asked)
                    for question in asked:
                        server.receive_until(lambda m: m.get("id") == question["id"])
                self.expect_text(server, text)

    def expect_text(self, server, text):
        """What the server holds is what was typed."""
        neat = subprocess.run([SINEW, "format", "-"], input=text.encode(), capture_output=True, timeout=LIMIT_S)
        server.send(request(5, "textDocument/formatting", {"textDocument": {"uri": URI}}))
        edits = server.receive_until(lambda m: m.get("id") == 5)["result"]
        if neat.returncode == 0 and neat.stdout.decode() != text:
            self.assertEqual(edits[0]["newText"], neat.stdout.decode())
        else:
            self.assertEqual(edits, [])


class Mutations(unittest.TestCase):
    """Valid conversations with random damage."""

    VALUES = [None, True, 0, -1, 2 ** 31, 2 ** 63, 2 ** 64, 1e308, -0.5, "", "é𝄞", "x" * 10_000, [], {},
              [None], {"uri": URI}, URI, "textDocument/didClose", "shutdown", "\0", "{", "file:///"]

    def places_of(self, value, way=()):
        found = [way] if way else []
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, child in items:
            found += self.places_of(child, (*way, key))
        return found

    def damage_value(self, message, rng):
        message = copy.deepcopy(message)
        *way, last = rng.choice(self.places_of(message))
        parent = message
        for key in way:
            parent = parent[key]
        action = rng.randrange(4)
        if action == 0:
            del parent[last]
        elif action == 1 and isinstance(parent[last], str) and parent[last]:
            text = parent[last]
            cut = rng.randrange(len(text))
            parent[last] = text[:cut] + rng.choice(["", "é", "𝄞", ";", "(", "end", "\n", '"', "{"]) + text[cut + 1:]
        elif action == 2 and isinstance(parent[last], int):
            parent[last] += rng.choice([-1, 1, 5, 100, -1000])
        else:
            parent[last] = rng.choice(self.VALUES)
        return message

    def damage_bytes(self, data, rng):
        data = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            at_byte = rng.randrange(len(data))
            action = rng.randrange(3)
            if action == 0:
                data[at_byte] = rng.randrange(256)
            elif action == 1:
                del data[at_byte:at_byte + rng.randint(1, 8)]
            else:
                data[at_byte:at_byte] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 4)))
        return bytes(data)

    def test_damaged_conversations_neither_crash_nor_hang(self):
        edit = changing({"range": {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 10}},
                         "text": "size"}, {"text": SCRIPT})
        whole = [*GREETING, opening(), edit, *QUESTIONS, *FAREWELL]
        for number in range(ROUNDS):
            rng = random.Random(f"{SEED}-{number}")
            messages = [copy.deepcopy(m) for m in whole]
            if rng.random() < 0.3:
                rng.shuffle(messages)
            for _ in range(rng.randint(1, 4)):
                victim = rng.randrange(len(messages))
                messages[victim] = self.damage_value(messages[victim], rng) if messages[victim] else {}
            data = b"".join(frame(m) for m in messages)
            if number % 2:
                data = self.damage_bytes(data, rng)
            with self.subTest(f"seed {SEED}, round {number}"):
                try:
                    ended = Ended(data)
                except subprocess.TimeoutExpired:
                    self.fail(f"no end within {LIMIT_S} s; input: {data!r}")
                self.assertIn(ended.status, (0, 1), f"input: {data!r}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    SINEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    SEED = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else random.randrange(10 ** 6)
    ROUNDS = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else ROUNDS
    print(f"seed {SEED}, {ROUNDS} damaged conversations", flush=True)
    unittest.main()
