// The script beside the picture: errors at their lines, and the session saved as a script.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { find_object, open_browser, open_page, picture, press, set_parameter, step_to, test_id, wait_for } from "./browser.mjs";
import { kSinew, start_program } from "./program.mjs";

let browser;
before(async () => { browser = await open_browser(); });
after(() => browser?.close());

const lines_of = (text) => text.split("\n");

test("an error typed in the editor appears at its line; the last good scene stays", async () => {
    const program = await start_program("fig03_triple_pendulum.charli");
    const { page, complaints } = await open_page(browser, program.address);
    await step_to(page, 10);
    const before = await page.evaluate(() => ({ elements: window.sinew.scene().elements.length, text: window.sinew.editor_text() }));
    const line = lines_of(before.text).findIndex((each) => each.startsWith("length = 1")) + 1;
    await page.evaluate((selector, number) => {
        const node = document.querySelectorAll(`${selector} .cm-line`)[number - 1], range = document.createRange();
        range.selectNodeContents(node);
        range.collapse(false);
        window.getSelection().removeAllRanges();
        window.getSelection().addRange(range);
        node.closest(".cm-content").focus();
    }, test_id("editor"), line);
    await page.keyboard.type(" wrong");
    await page.waitForSelector(`${test_id("problem")}[data-line="${line}"], ${test_id("problem")}[data-line="${line + 1}"]`);
    await page.waitForSelector(test_id("last-good"), { visible: true });
    await page.waitForSelector(".cm-lintRange-error");
    await picture(page, "error");
    assert.equal(await page.evaluate(() => window.sinew.scene().elements.length), before.elements);
    await press(page, "step-forward");
    await wait_for(page, () => window.sinew.frame().frame === 11);

    for (let i = 0; i < " wrong".length; ++i) await page.keyboard.press("Backspace");
    await page.waitForSelector(test_id("last-good"), { hidden: true });
    assert.equal(await page.evaluate(() => window.sinew.editor_text()), before.text);
    assert.equal(readFileSync(program.script, "utf8"), before.text, "typing writes the file");
    assert.deepEqual(complaints, []);
    await page.close();
    await program.close();
});

/** Rows of a table: time, name, x, y, z, ... */
function places_of(table, name) {
    return lines_of(readFileSync(table, "utf8")).slice(1).map((line) => line.split(","))
        .filter((row) => row[1] === name).map((row) => row.slice(2, 5).map(Number));
}

test("saving writes a script that checks, differs only where the session changed it, and replays the pin", async () => {
    const program = await start_program("swinging_atwood.charli"), original = readFileSync(program.script, "utf8");
    const { page, complaints } = await open_page(browser, program.address);
    await wait_for(page, () => window.sinew.frame() !== null);
    await set_parameter(page, "ratio", 2.5);
    await step_to(page, 30);
    const bob = await find_object(page, "bob");
    await page.evaluate((testid) => document.querySelector(testid).click(), test_id(`object-${bob}`));
    const pinned = await page.evaluate((object) => window.sinew.place(object), bob);
    await press(page, "pin");
    await wait_for(page, (object) => window.sinew.scene().objects[object]?.is_pinned, bob);
    await wait_for(page, () => window.sinew.status().is_changed);
    await page.keyboard.down("Control");
    await page.keyboard.press("s");
    await page.keyboard.up("Control");
    await wait_for(page, () => !window.sinew.status().is_changed);
    await picture(page, "saved");

    const saved = readFileSync(program.script, "utf8");
    execFileSync(kSinew, ["check", program.script], { stdio: "pipe" });
    const old_lines = lines_of(original), gone = old_lines.filter((each) => !lines_of(saved).includes(each));
    assert.ok(gone.length <= 3, `lines that the session did not change are gone: ${gone.join("\n")}`);
    assert.ok(gone.some((each) => each.startsWith("param ratio")), "the slider's value is not in the script");
    assert.match(saved, /param ratio = 2\.5/);
    assert.ok(saved.startsWith(lines_of(original)[0]), "the comments are gone");

    const table = join(program.folder, "table.csv");
    execFileSync(kSinew, ["run", program.script, "--table", table, "--seconds", "2", "--out", join(program.folder, "run.sinew")], { stdio: "pipe" });
    const places = places_of(table, "bob");
    assert.ok(places.length > 20);
    for (const place of places)
        assert.ok(Math.hypot(...place.map((each, i) => each - pinned[i])) < 1e-3, `the pinned mass is at ${place}, not at ${pinned}`);
    assert.deepEqual(complaints, []);
    await page.close();
    await program.close();
});
