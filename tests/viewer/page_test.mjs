// The page as it is: it loads, moves, stops, steps, scrubs, and comes back when the line breaks.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { find_object, open_browser, open_page, picture, pixels, press, step_to, test_id, wait_for } from "./browser.mjs";
import { start_program } from "./program.mjs";

let browser, program;
before(async () => {
    browser = await open_browser();
    program = await start_program("fig03_triple_pendulum.charli");
});
after(async () => {
    await browser?.close();
    await program?.close();
});

const status = (page) => page.evaluate(() => window.sinew.status());

test("the first page plays without being asked; a hint is shown once and hides nothing", async () => {
    const { page, complaints } = await open_page(browser, program.address, { seen_help: false, autoplay: true });
    await wait_for(page, () => window.sinew?.frame()?.frame > 5);
    assert.ok(!(await page.$("dialog[open]")), "a dialog is in the way");
    assert.ok(await page.$(test_id("first-hint")));
    await picture(page, "first_visit");
    assert.ok(!page.url().includes("token"), "the token stays in the address");
    await press(page, "play");
    await wait_for(page, () => !window.sinew.status().is_playing);
    await page.reload();
    await wait_for(page, () => window.sinew?.frame() != null);
    assert.ok(!(await page.$(test_id("first-hint"))), "the hint is shown twice");
    assert.ok(!(await page.evaluate(() => window.sinew.status().is_playing)), "a second page starts it again");
    await press(page, "show-help");
    assert.ok(await page.$eval(test_id("help"), (dialog) => dialog.open));
    await picture(page, "help");
    await page.click(test_id("help-close"));
    await page.keyboard.press("?");
    assert.ok(await page.$eval(test_id("keys"), (dialog) => dialog.open));
    await picture(page, "keys");
    assert.deepEqual(complaints, []);
    await page.close();
});

test("the triple pendulum moves, and stands still when paused", async () => {
    const { page, complaints } = await open_page(browser, program.address, { width: 1280, height: 800, shadows: true });
    await wait_for(page, () => window.sinew.frame() !== null);
    const start = await pixels(page);
    await press(page, "play");
    await wait_for(page, () => window.sinew.frame().frame > 12);
    assert.notEqual(await pixels(page), start, "no pixel has changed");
    await press(page, "play");
    await wait_for(page, () => !window.sinew.status().is_playing);
    await picture(page, "pendulum_light");
    const [red, green, blue] = await page.evaluate((object) => window.sinew.pixel(...window.sinew.project(object)), await find_object(page, "m1"));
    assert.ok(blue > red + 60 && blue > green + 20, `where the blue mass is, the picture is ${red}, ${green}, ${blue}`);
    const { frame } = await status(page);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal((await status(page)).frame, frame, "it goes on while paused");
    await page.click(test_id("theme"));
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await picture(page, "pendulum_dark");
    assert.deepEqual(complaints, []);
    await page.close();
});

test("step and scrub do what they say", async () => {
    const { page, complaints } = await open_page(browser, program.address);
    await step_to(page, 20);
    await press(page, "step-forward");
    await wait_for(page, () => window.sinew.frame().frame === 21 && !window.sinew.status().is_playing);
    await press(page, "step-back");
    await wait_for(page, () => window.sinew.frame().frame === 20);
    assert.equal(await page.$eval(test_id("frame"), (each) => each.value), "20");

    const tip = await page.evaluate(() => window.sinew.scene().objects.findIndex((each) => each.name === "m2"));
    const at_20 = await page.evaluate((object) => window.sinew.place(object), tip);
    const { frame_count } = await status(page), box = await (await page.$(test_id("timeline"))).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await wait_for(page, (middle) => Math.abs(window.sinew.frame().frame - middle) <= 2, frame_count / 2);
    const there = await page.evaluate((object) => window.sinew.place(object), tip);
    assert.ok(Math.hypot(...there.map((each, i) => each - at_20[i])) > 0.1, "the scene is not that of another frame");
    await step_to(page, 20);
    assert.deepEqual(await page.evaluate((object) => window.sinew.place(object), tip), at_20, "the same frame looks different");
    assert.deepEqual(complaints, []);
    await page.close();
});

test("the page connects again when the line breaks, and says so when the program has ended", async () => {
    const { page } = await open_page(browser, program.address);
    await wait_for(page, () => window.sinew.frame() !== null);
    await page.evaluate(() => window.sinew.drop());
    await wait_for(page, () => window.sinew.reconnects() === 1);
    await page.waitForSelector(test_id("banner"), { hidden: true });
    await step_to(page, 5);
    program.child.kill("SIGTERM");
    await wait_for(page, (banner) => document.querySelector(banner).textContent.includes("has ended"), test_id("banner"));
    await picture(page, "ended");
    await page.close();
});
