// The editor says what is: sliders and gestures are in its text, which is what is saved; and it helps.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { open_browser, open_page, picture, press, test_id, wait_for, wait_until } from "./browser.mjs";
import { start_program } from "./program.mjs";

let browser, program, page, complaints;
before(async () => {
    browser = await open_browser();
    program = await start_program("card_house.charli");
    ({ page, complaints } = await open_page(browser, program.address));
    await wait_for(page, () => window.sinew?.frame() != null && window.sinew.has_editor());
});
after(async () => {
    await browser?.close();
    await program?.close();
});

const text = () => page.evaluate(() => window.sinew.editor_text());

async function press_with(modifier, key) {
    await page.keyboard.down(modifier);
    await page.keyboard.press(key);
    await page.keyboard.up(modifier);
}

test("a slider is written into the text at once, and saving right behind it saves its value", async () => {
    for (const value of [0.3, 0.6, 0.4]) {
        const input = await page.waitForSelector(test_id("parameter-friction"));
        await input.evaluate((each) => { each.focus(); each.select(); });
        await page.keyboard.type(`${value}`);
        await page.keyboard.press("Enter");
        await page.evaluate(() => document.activeElement.blur());
        await press_with("Control", "s"); // without a pause
        const saved = await wait_until(() => {
            const file = readFileSync(program.script, "utf8");
            return new RegExp(`param friction = ${value}\\b`).test(file) && file;
        }, `the file has the value ${value}`);
        await wait_for(page, (wanted) => window.sinew.editor_text() === wanted && !window.sinew.status().is_changed, saved);
    }
});

test("what is typed wins over a slider moved before", async () => {
    const typed = (await text()).replace(/param friction = [\d.]+/, "param friction = 0.7");
    await page.evaluate((to) => window.sinew.send({ type: "script", text: to }), typed);
    await wait_for(page, () => window.sinew.scene().parameters.find((each) => each.name === "friction").value === 0.7);
});

const go_to_end = () => page.evaluate(() => window.sinew.put_cursor(window.sinew.editor_text().length));

test("completion, arguments and help come from the language server", async () => {
    await go_to_end();
    await page.keyboard.type("\nspr");
    await page.waitForSelector(".cm-tooltip-autocomplete li");
    const labels = await page.$$eval(".cm-tooltip-autocomplete .cm-completionLabel", (nodes) => nodes.map((each) => each.textContent));
    assert.ok(labels.some((each) => each.startsWith("spring")), `it offers ${labels.join(", ")}`);
    await picture(page, "completion");
    await page.keyboard.press("Enter");
    await wait_for(page, () => /\nspring\w*$/.test(window.sinew.editor_text()));
    await page.keyboard.type("(");
    await page.waitForSelector(test_id("signature"));
    assert.match(await page.$eval(test_id("signature"), (each) => each.textContent), /spring/);
    const typed = () => page.$eval(`${test_id("signature")} b`, (each) => each.textContent);
    const first = await typed();
    await page.keyboard.type("1, ");
    await wait_for(page, (tip, was) => ![null, was].includes(document.querySelector(`${tip} b`)?.textContent ?? null), test_id("signature"), first);
    await picture(page, "signature");
    await page.keyboard.press("Escape");
    for (let i = 0; i < 40 && /\nspring/.test(await text()); ++i) await press_with("Control", "Backspace");
    await page.waitForSelector(test_id("last-good"), { hidden: true }); // the list of problems gives its room back
    const word = await page.evaluate(() => {
        const walker = document.createTreeWalker(document.querySelector(".cm-content"), NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = node.textContent.indexOf("simulate");
            if (at < 0) continue;
            node.parentElement.scrollIntoView({ block: "center" });
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 8);
            const { left, top, width, height } = range.getBoundingClientRect();
            return [left + width / 2, top + height / 2];
        }
        return null;
    });
    await page.mouse.move(...word);
    await page.waitForSelector(test_id("hover"));
    assert.match(await page.$eval(test_id("hover"), (each) => each.textContent), /simulate/);
});

test("a slip is mended by what its hint proposes; a name leads to where it comes from", async () => {
    await go_to_end();
    const before = await text();
    await page.keyboard.type("\nsimulat(0 sec, 1 sec);");
    await page.waitForSelector(test_id("fix"));
    await picture(page, "fix");
    await press(page, "fix");
    await wait_for(page, (was) => window.sinew.editor_text() === `${was}\nsimulate(0 sec, 1 sec);`, before);
    for (let i = 0; i < 40 && (await text()) !== before; ++i) await press_with("Control", "z");
    assert.equal(await text(), before);
    const name = before.match(/def (\w+)/)[1], at = before.lastIndexOf(name);
    assert.ok(at > before.indexOf(`def ${name}`) + 4, `${name} is used nowhere`);
    await page.evaluate((offset) => window.sinew.put_cursor(offset), at + 1);
    await page.keyboard.press("F12");
    await wait_for(page, (wanted) => window.sinew.cursor() === wanted, before.indexOf(`def ${name}`) + 4 + name.length);
});

test("long lines are wrapped, blocks fold", async () => {
    assert.ok(await page.$eval(".cm-scroller", (node) => node.scrollWidth <= node.clientWidth + 2), "lines are cut off");
    const before = await page.$$eval(".cm-line", (lines) => lines.length);
    await page.$$eval(".cm-foldGutter .cm-gutterElement span", (marks) => marks.find((each) => each.title === "Fold line")?.click());
    await page.waitForSelector(".cm-foldPlaceholder");
    assert.ok((await page.$$eval(".cm-line", (lines) => lines.length)) < before);
    await picture(page, "folded");
    await press(page, "undo");
    assert.deepEqual(complaints, []);
});
