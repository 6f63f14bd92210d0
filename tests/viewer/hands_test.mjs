// What people do by hand: pull a mass, move a slider, take it back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { find_object, open_browser, open_page, picture, press, set_parameter, step_to, test_id, wait_for } from "./browser.mjs";
import { start_program } from "./program.mjs";

let browser;
before(async () => { browser = await open_browser(); });
after(() => browser?.close());

/** A page on an example, with both of them closed afterwards. */
async function with_page(example, run) {
    const program = await start_program(example);
    try {
        const { page, complaints } = await open_page(browser, program.address);
        await wait_for(page, () => window.sinew.frame() !== null);
        await run(page, program);
        assert.deepEqual(complaints, []);
        await page.close();
    } finally {
        await program.close();
    }
}

const place = (page, object) => page.evaluate((each) => window.sinew.place(each), object);
const apart = (a, b) => Math.hypot(...a.map((each, i) => each - b[i]));

test("a mass follows the mouse, and swings back when it is let go", () => with_page("fig03_triple_pendulum.charli", async (page) => {
    const mass = await find_object(page, "m2"), start = await place(page, mass);
    const [x, y] = await page.evaluate((each) => window.sinew.project(each), mass);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y - 60, { steps: 6 });
    await page.mouse.move(x - 120, y - 130, { steps: 6 });
    await wait_for(page, () => window.sinew.frame().hands > 0);
    await wait_for(page, (each, from) => window.sinew.place(each)[1] > from + 0.25, mass, start[1]);
    await picture(page, "pulled");
    assert.equal(await page.evaluate(() => window.sinew.selection()), mass);
    const held = await place(page, mass), { frame } = await page.evaluate(() => window.sinew.frame());
    await page.mouse.up();
    if (!(await page.evaluate(() => window.sinew.status().is_playing))) await press(page, "play");
    await wait_for(page, (from) => window.sinew.frame().frame > from + 10 && window.sinew.frame().hands === 0, frame);
    await wait_for(page, (each, from) => window.sinew.place(each)[1] < from - 0.5, mass, held[1]);
}));

test("a click selects: name and numbers are shown, Escape lets go", () => with_page("fig03_triple_pendulum.charli", async (page) => {
    const mass = await find_object(page, "m1"), [x, y] = await page.evaluate((each) => window.sinew.project(each), mass);
    await page.mouse.click(x, y);
    await page.waitForSelector(test_id("inspector"), { visible: true });
    assert.equal(await page.$eval(test_id("inspector-name"), (each) => each.textContent), "m1");
    await wait_for(page, (rows) => document.querySelector(rows).children.length > 2, test_id("inspector-rows"));
    await picture(page, "inspector");
    await page.keyboard.press("Escape");
    await page.waitForSelector(test_id("inspector"), { hidden: true });
}));

test("a slider changes the motion; undo takes it back, redo does it again", () => with_page("swinging_atwood.charli", async (page) => {
    await step_to(page, 40);
    const bob = await find_object(page, "bob"), before = await place(page, bob);
    await step_to(page, 0);
    await set_parameter(page, "ratio", 1.5);
    await wait_for(page, () => window.sinew.status().can_undo);
    const moved = async (want) => {
        await step_to(page, 0);
        await step_to(page, 40);
        await wait_for(page, (each, from, far) => {
            const p = window.sinew.place(each);
            return Math.hypot(...p.map((v, i) => v - from[i])) > 0.05 === far;
        }, bob, before, want);
    };
    await moved(true);
    const after = await place(page, bob);
    await press(page, "undo");
    await moved(false);
    await wait_for(page, () => window.sinew.status().can_redo);
    await press(page, "redo");
    await moved(true);
    assert.ok(apart(await place(page, bob), after) < 1e-6, "redone, it moves another way");
}));

test("a rope is dragged, and pinned where it was held: the script says so", () => with_page("slipknot.charli", async (page, program) => {
    const rope = await find_object(page, "rope"), [x, y] = await page.evaluate((each) => window.sinew.project_along(each, 0.5), rope);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 20, y + 30, { steps: 4 });
    await page.mouse.move(x - 40, y + 60, { steps: 4 });
    await wait_for(page, () => window.sinew.frame().hands > 0);
    const { frame } = await page.evaluate(() => window.sinew.frame());
    await wait_for(page, (from) => window.sinew.frame().frame > from + 4, frame);
    await picture(page, "rope");
    assert.equal(await page.evaluate(() => window.sinew.selection()), rope);
    await page.mouse.up();
    await press(page, "pin");
    await wait_for(page, () => window.sinew.status().is_changed);
    await page.keyboard.down("Control");
    await page.keyboard.press("s");
    await page.keyboard.up("Control");
    await wait_for(page, () => !window.sinew.status().is_changed);
    assert.match(readFileSync(program.script, "utf8"), /position_constraint\(rope at [0-9.]+ along, point\(/);
}));
