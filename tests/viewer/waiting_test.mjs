// A page never waits for the simulation: a frame that takes very long, and what can be done meanwhile.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open_browser, open_page, picture, press, test_id, wait_for } from "./browser.mjs";
import { start_program } from "./program.mjs";

// Each frame takes some three hundred thousand steps.
const kSlow = `# A chain that is computed very slowly.
param size = 1 [0.5..2];
def link body(density = 700); box(0.1, 0.1, 0.4 * size); end;
for i in 0..60 c[i] = link translate(0.2 * i, 0.4, 0); end;
def floor obstacle(); plane(0, 1, 0, 0); end; floor;
simulate(0 sec, 4 sec, step = 1/8000000);
`;

let browser;
before(async () => { browser = await open_browser(); });
after(() => browser?.close());

test("a frame that takes long: the page is there at once, says so, obeys, and the program ends", async () => {
    const program = await start_program("slow.charli", [], kSlow);
    const begin = Date.now(), { page, complaints } = await open_page(browser, program.address, { autoplay: true });
    await wait_for(page, () => window.sinew?.editor_text().includes("very slowly") && window.sinew.frame() !== null);
    const opened = Date.now() - begin;
    await wait_for(page, (state) => /computing frame \d+, \d+ s/.test(document.querySelector(state).textContent), test_id("state"));
    assert.equal(await page.$eval(test_id("name"), (each) => each.textContent), "slow.charli");
    await picture(page, "slow");
    assert.ok(await page.evaluate(() => window.sinew.status().is_playing), "it does not play");
    await press(page, "play");
    await wait_for(page, () => !window.sinew.status().is_playing);
    await page.evaluate(() => window.sinew.send({ type: "speed", value: 2 }));
    await wait_for(page, () => window.sinew.status().speed === 2);
    const second = await open_page(browser, program.address);
    await wait_for(second.page, () => window.sinew?.editor_text().includes("very slowly") && window.sinew.frame() !== null);
    const asked = Date.now();
    await page.evaluate((text) => window.sinew.send({ type: "script", text }), kSlow.replace("0..60", "0..2").replace("1/8000000", "1/240"));
    await wait_for(page, () => window.sinew.status().valid === window.sinew.status().frame_count);
    assert.deepEqual(complaints, []);
    console.log(`page after ${opened} ms, another script after ${Date.now() - asked} ms`);
    await page.evaluate((text) => window.sinew.send({ type: "script", text }), kSlow);
    await wait_for(page, (state) => /computing frame \d+, \d+ s/.test(document.querySelector(state).textContent), test_id("state"));
    const ended = new Promise((resolve) => program.child.once("exit", resolve)), stop = Date.now();
    program.child.kill("SIGTERM");
    assert.equal(await ended, 0);
    console.log(`ended after ${Date.now() - stop} ms`); // a frame takes minutes: that it ends shows that it did not wait for one
    await page.close();
    await second.page.close();
    await program.close();
});
