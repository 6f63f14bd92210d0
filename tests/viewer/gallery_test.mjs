// Other scripts inside the page, and the tools for looking: gallery, new, tree, measure, follow, keys, plots.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { find_object, open_browser, open_page, picture, press, step_to, test_id, wait_for, kPatience, wait_until } from "./browser.mjs";
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

const name_of = (page) => page.$eval(test_id("name"), (each) => each.textContent);

test("the gallery opens an example, which plays, is saved beside the script, and leads back", async () => {
    const { page, complaints } = await open_page(browser, program.address, { autoplay: true });
    await wait_for(page, () => window.sinew?.frame() != null);
    await press(page, "show-gallery");
    await page.waitForSelector(test_id("example-newtons_cradle"));
    assert.ok((await page.$$(".card")).length > 50);
    await page.waitForFunction(() => [...document.querySelectorAll(".card img")].filter((each) => each.complete && each.naturalWidth > 100).length > 3);
    await picture(page, "gallery");
    await page.type(test_id("gallery-search"), "cradle");
    await wait_for(page, () => document.querySelectorAll(".card").length < 5);
    await press(page, "example-newtons_cradle");
    await wait_for(page, (name) => document.querySelector(name).textContent === "newtons_cradle.charli", test_id("name"));
    await wait_for(page, () => window.sinew.frame()?.frame > 3 && window.sinew.status().is_playing);
    assert.match(await page.evaluate(() => window.sinew.editor_text()), /cradle/i);
    assert.ok(!existsSync(join(program.folder, "newtons_cradle.charli")), "opening writes a file");
    await picture(page, "opened_example");
    await page.evaluate(() => window.sinew.send({ type: "save" }));
    await wait_for(page, (notice) => [...document.querySelectorAll(notice)].some((each) => each.textContent.includes("saved")), test_id("notice"));
    const shown = await page.evaluate(() => window.sinew.editor_text());
    await wait_until(() => readFileSync(join(program.folder, "newtons_cradle.charli"), "utf8") === shown, "the file has the text of the editor");
    await press(page, "show-gallery");
    await page.waitForSelector(test_id("file-fig03_triple_pendulum.charli"));
    await press(page, "gallery-new");
    await wait_for(page, (name) => document.querySelector(name).textContent === "untitled.charli" && window.sinew.frame()?.frame > 2, test_id("name"));
    await press(page, "show-gallery");
    await page.waitForSelector(test_id("file-fig03_triple_pendulum.charli"));
    await press(page, "file-fig03_triple_pendulum.charli");
    await wait_for(page, (name) => document.querySelector(name).textContent === "fig03_triple_pendulum.charli" && window.sinew.frame() != null, test_id("name"));
    assert.equal(await name_of(page), "fig03_triple_pendulum.charli");
    assert.deepEqual(complaints, []);
    await page.close();
});

test("tree, measure, follow, keyboard camera and a plot of the selected thing", async () => {
    const { page, complaints } = await open_page(browser, program.address);
    await wait_for(page, () => window.sinew?.frame() != null);
    await page.evaluate(() => window.sinew.send({ type: "pause" }));
    await step_to(page, 10);
    const [m1, m2] = [await find_object(page, "m1"), await find_object(page, "m2")];
    const at = (object) => page.evaluate((each) => window.sinew.project(each), object);
    const colour = () => page.evaluate((object) => window.sinew.pixel(...window.sinew.project(object)), m2);
    await page.waitForFunction((object) => { // the camera has come to rest
        const now = window.sinew.project(object).join(), is_still = window.before_now === now;
        window.before_now = now;
        return is_still;
    }, { timeout: kPatience, polling: 400 }, m2);
    const seen = await colour();
    await press(page, `eye-${m2}`);
    await wait_for(page, (object, was) => window.sinew.pixel(...window.sinew.project(object)).join() !== was, m2, seen.join());
    await press(page, `eye-${m2}`);
    await wait_for(page, (object, was) => window.sinew.pixel(...window.sinew.project(object)).join() === was, m2, seen.join());

    await page.keyboard.press("m");
    await page.mouse.click(...await at(m1));
    await page.mouse.click(...await at(m2));
    await wait_for(page, () => window.sinew.measured() > 0);
    const length = await page.evaluate(() => window.sinew.measured()), places = await Promise.all([m1, m2].map((each) => page.evaluate((object) => window.sinew.place(object), each)));
    assert.ok(Math.abs(length - Math.hypot(...places[0].map((each, i) => each - places[1][i]))) < 0.3, `it measures ${length}`);
    await picture(page, "measure");
    await page.keyboard.press("Escape");

    const camera = () => page.evaluate(() => window.sinew.camera.position.toArray());
    const turned = await camera();
    await page.keyboard.down("Alt");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.up("Alt");
    assert.notDeepEqual(await camera(), turned);
    await page.keyboard.press("+");

    await page.$eval(test_id(`object-${m2}`), (node) => node.click());
    await press(page, "follow");
    const here = await at(m2);
    await step_to(page, 40);
    const there = await at(m2);
    assert.ok(Math.hypot(here[0] - there[0], here[1] - there[1]) < 40, `it is at ${there}, was at ${here}`);
    await press(page, "follow");
    await page.keyboard.press("p");
    await page.waitForSelector(`${test_id("plot-chosen")} .uplot:not(.is-empty)`);
    await picture(page, "plots");
    assert.deepEqual(complaints, []);
    await page.close();
});
