// Tools on ropes and hair: pin, tie, thread, cut, let go, drag. Each becomes a statement of the script.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { find_object, open_browser, open_page, picture, press, step_to, test_id, wait_for } from "./browser.mjs";
import { start_program } from "./program.mjs";

const kScript = `# Two cords, a hair, a bead on the floor.
def cord rod(line(0,0,0, 0,-1,0), spans = 16, radius = 12 mm, young = 1e7, density = 900, damping = 20 ms, drag_across = 0.2); end;
left = cord translate(0, 1.6, 0); right = cord translate(0.7, 1.6, 0);
position_constraint(left at 0 along, point(0, 1.6, 0));
position_constraint(right at 0 along, point(0.7, 1.6, 0));
def floor obstacle(); plane(0, 1, 0, 0); end; floor;
def bead body(density = 300); sphere(0.07); end; bead translate(0.35, 0.07, 0);
def hair strand(line(0,0,0, 0,-0.7,0), segments = 14); radius(5 mm); density(900); young(1e5); damping(0.2); end;
hair translate(1.2, 1.6, 0);
camera(0.55, 0.9, 4.2, 0.55, 0.85, 0, fov = 35 deg);
simulate(0 sec, 3 sec, step = 1/240);
`;

let browser;
before(async () => { browser = await open_browser(); });
after(() => browser?.close());

/** A page on the script, paused at a frame. */
async function with_page(run) {
    const program = await start_program("cords.charli", [], kScript);
    try {
        const { page, complaints } = await open_page(browser, program.address);
        await wait_for(page, () => window.sinew.frame() !== null);
        await page.evaluate(() => window.sinew.send({ type: "pause" }));
        await step_to(page, 12);
        await page.evaluate(() => { window.revision_before = window.sinew.scene().revision; });
        await run(page, program);
        assert.deepEqual(complaints, []);
        await page.close();
    } finally {
        await program.close();
    }
}

const along = (page, object, u) => page.evaluate((each, at) => window.sinew.place_along(each, at), object, u);
const apart = (a, b) => Math.hypot(...a.map((each, i) => each - b[i]));
const text_of = (page) => page.evaluate(() => window.sinew.editor_text());

async function click_along(page, name, u) {
    const object = await find_object(page, name);
    const [x, y] = await page.evaluate((each, at) => window.sinew.project_along(each, at), object, u);
    await page.mouse.click(x, y);
}

async function click_middle(page, name) {
    const object = await find_object(page, name), [x, y] = await page.evaluate((each) => window.sinew.project(each), object);
    await page.mouse.click(x, y);
}

/** Until the script says it and the frame that was shown is shown again. */
async function wait_for_statement(page, text) {
    await wait_for(page, (wanted) => new RegExp(wanted).test(window.sinew.editor_text()) &&
        window.sinew.scene().revision !== window.revision_before && window.sinew.frame()?.frame === 12, text.source);
}

async function save(page, program) {
    await page.keyboard.down("Control");
    await page.keyboard.press("s");
    await page.keyboard.up("Control");
    await wait_for(page, () => !window.sinew.status().is_changed);
    return readFileSync(program.script, "utf8");
}

test("pin: a rope is held where it is clicked, the picture stays, undo takes it back", () => with_page(async (page, program) => {
    const cord = await find_object(page, "left"), there = await along(page, cord, 0.75);
    await page.keyboard.press("2");
    assert.match(await page.$eval(test_id("tool-hint"), (each) => each.textContent), /Click a rope/);
    await click_along(page, "left", 0.75);
    await wait_for_statement(page, /position_constraint\(left at 0\.7\d* along, point\(.*active = \{0 at 0 sec hold 1 at 0\.5 sec\}\);/);
    assert.ok(apart(await along(page, await find_object(page, "left"), 0.75), there) < 0.005, "it jumps");
    assert.match(await save(page, program), /position_constraint\(left at 0\.7/);
    await page.keyboard.press("Escape");
    assert.equal(await page.$eval(test_id("tool-hand"), (each) => each.getAttribute("aria-pressed")), "true");
    await press(page, "undo");
    await wait_for(page, () => !window.sinew.editor_text().includes("left at 0.7"));
}));

test("tie: two ropes are drawn together", () => with_page(async (page) => {
    await press(page, "tool-tie");
    await click_along(page, "left", 1);
    assert.match(await page.$eval(test_id("tool-hint"), (each) => each.textContent), /left … Now click/);
    await click_along(page, "right", 1);
    await wait_for_statement(page, /fusion\(left at (1|0\.9\d*) along, right at (1|0\.9\d*) along, active/);
    await picture(page, "tied");
    await step_to(page, 40);
    const ends = await Promise.all(["left", "right"].map(async (name) => along(page, await find_object(page, name), 1)));
    assert.ok(apart(ends[0], ends[1]) < 0.06, `they are ${apart(ends[0], ends[1])} m apart`);
}));

test("thread: a bead is drawn onto a rope", () => with_page(async (page) => {
    await press(page, "tool-thread");
    await click_middle(page, "bead");
    await click_along(page, "right", 0.7);
    await wait_for_statement(page, /pearl\(bead, right, from = 0\.\d+, active/);
    await step_to(page, 24);
    const bead = await page.evaluate((each) => window.sinew.place(each), await find_object(page, "bead"));
    const right = await find_object(page, "right");
    const distances = [];
    for (let u = 0; u <= 1; u += 0.01) distances.push(apart(bead, await along(page, right, u)));
    assert.ok(Math.min(...distances) < 0.02, `it is ${Math.min(...distances)} m beside`);
}));

test("cut: the end of a rope falls", () => with_page(async (page) => {
    await press(page, "tool-cut");
    await click_along(page, "left", 0.5);
    await wait_for_statement(page, /cut\(left at 0\.(5|4\d+|5\d+) along, when = 0\.5\);/);
    const piece = await find_object(page, "left.piece[2]"), before = await along(page, piece, 0);
    await step_to(page, 20);
    assert.ok((await along(page, piece, 0))[1] < before[1] - 0.3, "it hangs on");
}));

test("let go: a pin of the script ends", () => with_page(async (page) => {
    await press(page, "tool-loosen");
    await click_along(page, "left", 0.1);
    await wait_for_statement(page, /position_constraint\(left at 0 along.*active = \{1 at 0 sec hold 0 at 0\.5 sec\}\);/);
    const left = await find_object(page, "left"), before = await along(page, left, 0);
    await step_to(page, 20);
    assert.ok((await along(page, left, 0))[1] < before[1] - 0.3, "it hangs on");
}));

test("hair is dragged anywhere and pinned there; forces are shown in newtons", () => with_page(async (page) => {
    const hair = await find_object(page, "hair"), start = await along(page, hair, 0.6);
    const [x, y] = await page.evaluate((each) => window.sinew.project_along(each, 0.6), hair);
    await page.click(test_id("show-forces"));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 15, y - 20, { steps: 4 });
    await page.mouse.move(x + 30, y - 45, { steps: 4 });
    await wait_for(page, () => window.sinew.frame().hands > 0);
    await wait_for(page, (each, from) => Math.hypot(...window.sinew.place_along(each, 0.6).map((v, i) => v - from[i])) > 0.06, hair, start);
    await wait_for(page, () => window.sinew.labels().some((text) => /newtons [\d.e-]+ N/.test(text)));
    await picture(page, "hair");
    await page.mouse.up();
    await press(page, "pin");
    await wait_for(page, () => /position_constraint\(hair at 0\.[56]\d* along, point\(/.test(window.sinew.editor_text()));
}));
