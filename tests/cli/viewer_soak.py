#!/usr/bin/env python3
"""Hours of a person at the viewer, in less time: viewer_soak.py SINEW [HOURS [SECONDS]]

Acts of a person (dragging, sliders, typing, seeking, playing, tools, saving, recording, reloading, mistakes), each with the
messages that the page sends for it and the seconds that a person takes for it: HOURS (0.05) of them within SECONDS (20),
evenly. After every act the program must answer; its memory must not grow; its frames must be numbers. It ends late where
the program does. SINEW_SEED repeats a campaign.
"""
import math
import os
import pathlib
import random
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from viewer_client import SWING, Frame, Page, Server  # noqa: E402

SEED = int(os.environ.get("SINEW_SEED", random.SystemRandom().randrange(2**31)))
ANSWER_S = 30  # of a machine that may be very busy
GROWTH_KB = 64 << 10
HAND_HZ = 30  # messages a second while a hand moves

PILE = """\
param length = 0.4 [0.1..1];
def ground obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 500); box(length, 0.4, 0.4); end;
ground;
for k in 0..4 crate translate(0.05 * k, 0.3 + 0.45 * k, 0); end;
simulate(0 sec, 2 sec);
"""
ROPE = """\
param length = 1 [0.5..2];
def rope rod(line(0, 0, 0, length, 0, 0), spans = 10, radius = 1 cm, density = 500, young = 1e6); end;
rope;
position_constraint(rope at 0 along, point(0, 0, 0));
simulate(0 sec, 2 sec);
"""
HAIR = """\
param length = 0.5 [0.1..1];
def hair strand(line(0, 0, 0, length, 0, 0), segments = 8); young(1e6); end;
for k in 0..5 hair translatez(0.1 * k); end;
simulate(0 sec, 2 sec);
"""
SCRIPTS = (SWING, PILE, ROPE, HAIR)


class Person:
    def __init__(self, server, chance):
        self.server, self.chance = server, chance
        self.page, self.text = None, SWING
        self.messages, self.seconds, self.acts, self.slowest_s = 0, 0.0, {}, 0.0
        self.reload()

    def send(self, kind, **fields):
        self.page.send(kind, **fields)
        self.messages += 1

    def take(self, message):
        if isinstance(message, Frame):
            assert all(map(math.isfinite, message.poses + message.points)), "a frame is no number"

    def hear(self, accept):
        """Everything that comes, until it is what was waited for."""
        begin = time.monotonic()
        while True:
            self.page.connection.settimeout(max(0.01, begin + ANSWER_S - time.monotonic()))
            message = self.page.receive()
            self.take(message)
            if isinstance(message, dict) and accept(message):
                self.slowest_s = max(self.slowest_s, time.monotonic() - begin)
                return message

    def await_answer(self):
        """A question that only a program which reads on answers."""
        word = f"are-you-there-{self.messages}"
        self.send(word)
        self.hear(lambda message: message["type"] == "notice" and word in message["text"])

    def somewhere(self, reach=2):
        return [self.chance.uniform(-reach, reach) for _ in range(3)]

    def thing(self):
        return self.chance.randrange(max(1, self.objects))

    # Acts; each returns the seconds that a person takes.

    def reload(self):
        if self.page:
            self.page.close()
        self.page = Page(self.server)
        self.hear(lambda message: message["type"] == "welcome")
        self.objects = len(self.hear(lambda message: message["type"] == "scene")["objects"])
        return 10

    def drag(self):
        self.send("grab", object=self.thing(), target=self.somewhere())
        seconds = self.chance.uniform(0.5, 4)
        for _ in range(int(HAND_HZ * seconds)):
            self.send("drag", target=self.somewhere())
        self.send("release")
        return seconds + 1

    def slide(self):
        seconds = self.chance.uniform(0.3, 2)
        for _ in range(int(HAND_HZ * seconds)):
            self.send("parameter", name="length", value=self.chance.uniform(0.2, 1))
        return seconds + 1

    def type_text(self):
        """Letter by letter, mostly of a script that is whole only in the end."""
        whole = self.chance.choice(SCRIPTS)
        at = self.chance.randrange(len(whole))
        for count in range(self.chance.randrange(4, 20)):
            self.send("script", text=whole[:at] + "xyz mass(1); "[:count % 13] + whole[at:])
            if self.chance.random() < 0.2:
                self.send("complete", id=self.messages, text=whole, offset=at)
        self.text = whole
        self.send("script", text=whole)
        return 12

    def seek(self):
        for _ in range(self.chance.randrange(1, 40)):
            self.send("seek", frame=self.chance.randrange(48))
        return 3

    def play(self):
        self.send("loop", on=self.chance.random() < 0.5)
        self.send("speed", value=self.chance.choice([0.25, 1, 4, 10]))
        self.send("play")
        time.sleep(self.chance.uniform(0, 0.05))
        self.send(self.chance.choice(["pause", "restart", "step"]), by=1)
        return 15

    def look(self):
        self.send("select", object=self.thing())
        self.send("show", **{name: self.chance.random() < 0.5 for name in ("forces", "residuals", "contacts", "layers")})
        self.send("hover", id=self.messages, text=self.text, offset=self.chance.randrange(len(self.text)))
        return 6

    def use_tool(self):
        kind = self.chance.choice(["pin", "unpin", "move", "tie", "cut", "loosen", "thread", "undo", "redo"])
        self.send(kind, object=self.thing(), other=self.thing(), bead=self.thing(), by=self.somewhere(), place=self.somewhere(),
                  other_place=self.somewhere())
        return 4

    def keep(self):
        self.send("save", name=f"kept{self.chance.randrange(3)}.charli")
        if self.chance.random() < 0.2:
            self.send("record", name=f"kept{self.chance.randrange(3)}.sinew")
        if self.chance.random() < 0.2:
            self.send("list")
        return 8

    def err(self):
        self.page.send_raw(1, self.chance.choice([b"{", b"[]", b'{"type":"seek","frame":1e400}', b'{"type":"grab"}']))
        self.messages += 1
        return 2

    def act(self):
        acts = (self.drag, self.drag, self.slide, self.slide, self.type_text, self.seek, self.play, self.look, self.use_tool,
                self.keep, self.err, self.reload)
        chosen = self.chance.choice(acts)
        self.seconds += chosen()
        self.await_answer()
        self.acts[chosen.__name__] = self.acts.get(chosen.__name__, 0) + 1


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sinew = str(pathlib.Path(sys.argv[1]).resolve())
    hours = float(sys.argv[2]) if len(sys.argv) > 2 else 0.05
    wanted_s = float(sys.argv[3]) if len(sys.argv) > 3 else 20
    print(f"seed {SEED} (SINEW_SEED={SEED} repeats it)", flush=True)
    with tempfile.TemporaryDirectory(prefix="sinew-soak-") as folder:
        script = pathlib.Path(folder) / "swing.charli"
        script.write_text(SWING)
        server = Server(sinew, str(script))
        person = Person(server, random.Random(SEED))
        begin, told, first_kb, most_kb = time.monotonic(), time.monotonic(), 0, 0
        while person.seconds < 3600 * hours:
            person.act()
            most_kb = max(most_kb, server.memory_kb())
            if person.seconds < 360 * hours:
                first_kb = most_kb  # after a tenth everything has been there once
            if time.monotonic() - told > 60:
                told = time.monotonic()
                print(f"{person.seconds / 3600:.2f} hours' worth after {told - begin:.0f} s, {server.memory_kb()} kB", flush=True)
            time.sleep(max(0.0, begin + wanted_s * person.seconds / (3600 * hours) - time.monotonic()))
        elapsed = time.monotonic() - begin
        person.page.close()
        status, end_s = server.stop()
    print(f"{person.seconds / 3600:.2f} hours' worth of messages in {elapsed:.0f} s: {person.messages} messages, "
          f"{sum(person.acts.values())} acts, slowest answer {person.slowest_s:.2f} s, memory at most {first_kb} kB in the first "
          f"tenth, {most_kb} kB in all, end {end_s:.2f} s")
    assert status == 0, f"it ended with {status}"
    assert most_kb < first_kb + GROWTH_KB, "memory grows"


if __name__ == "__main__":
    main()
