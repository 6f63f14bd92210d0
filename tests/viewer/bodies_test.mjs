// Contacts and stack layers of bodies: offered where there are bodies, drawn when they are switched on.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { find_object, open_browser, open_page, picture, pixels, step_to, test_id, wait_for } from "./browser.mjs";
import { start_program } from "./program.mjs";

let browser, program;
before(async () => {
    browser = await open_browser();
    program = await start_program("sparse_stack.charli");
});
after(async () => {
    await browser?.close();
    await program?.close();
});

const switch_on = (page, name) => page.$eval(test_id(`show-${name}`), (box) => box.click());
const colour_of = async (page, name) =>
    page.evaluate((object) => window.sinew.pixel(...window.sinew.project(object)), await find_object(page, name));

test("contacts are drawn over bodies, layers colour them, and a legend says what the colours mean", async () => {
    const { page, complaints } = await open_page(browser, program.address);
    await step_to(page, 12);
    assert.ok(!(await page.$(`${test_id("layer-legend")}:not([hidden])`)), "the legend is there before it is wanted");
    const plain = await pixels(page);
    await switch_on(page, "contacts");
    await wait_for(page, () => window.sinew.frame().contacts > 100);
    const dotted = await pixels(page);
    assert.notEqual(dotted, plain, "no contact is drawn");
    await switch_on(page, "contacts");
    await switch_on(page, "layers");
    await wait_for(page, () => window.sinew.frame().layers === 73 && window.sinew.frame().contacts === 0);
    await page.waitForSelector(`${test_id("layer-legend")}:not([hidden])`);
    assert.match(await page.$eval(test_id("layer-legend"), (legend) => legend.textContent), /1.*24.*in the air/);
    const [low, high] = [await colour_of(page, "b[2]"), await colour_of(page, "b[71]")];
    assert.ok(low[2] > low[1] + 10, `the lowest beam is ${low}, not violet`);
    assert.ok(high[0] > high[2] + 40 && high[1] > high[2] + 40, `the highest beam is ${high}, not yellow`);
    await picture(page, "layers");
    assert.deepEqual(complaints, []);
    await page.close();
});

test("a mesh that its file moves is drawn where it goes, and the file's camera moves until a person takes it", async () => {
    const moving = await start_program("tentacle.charli");
    const { page, complaints } = await open_page(browser, moving.address);
    await step_to(page, 1);
    const colour = await colour_of(page, "arm"); // at the middle of its corners
    assert.ok(colour[0] > colour[1] + 30 && colour[2] > colour[1], `the arm is ${colour}, not purple`);
    const still = await pixels(page), camera = () => page.evaluate(() => window.sinew.camera.position.toArray());
    const first = await camera();
    await step_to(page, 20);
    assert.notEqual(await pixels(page), still, "it stands still");
    assert.ok(Math.hypot(...(await camera()).map((each, i) => each - first[i])) > 0.01, "the camera stands still");
    await page.keyboard.press("+");
    const taken = await camera();
    await step_to(page, 40);
    assert.ok(Math.hypot(...(await camera()).map((each, i) => each - taken[i])) < 1e-6, "the camera does not stay with the person");
    await picture(page, "tentacle");
    assert.deepEqual(complaints, []);
    await page.close();
    await moving.close();
});
