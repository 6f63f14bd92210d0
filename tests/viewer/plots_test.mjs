// Any quantity over time: probes of the script, what constraints bear, objects that are kept; and the
// tree of objects by keyboard.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { find_object, open_browser, open_page, picture, press, test_id, wait_for } from "./browser.mjs";
import { start_program } from "./program.mjs";

const kScript = `# A weight on a rope, with numbers to be plotted.
dynamic a;
a = initial(0.5, 0);
def ball mass(1); end;
bob = ball translatey(-1) rotatez(a);
probe("height", bob_y);
def rope rod(line(0,0,0, 0,-1,0), spans = 6, radius = 5 mm, young = 1e7, density = 900, damping = 0.1); end;
cord = rope translatex(2);
position_constraint(cord at 0 along, point(2, 0, 0));
simulate(0 sec, 2 sec);
`;

let browser, program;
before(async () => {
    browser = await open_browser();
    program = await start_program("numbers.charli", [], kScript);
});
after(async () => {
    await browser?.close();
    await program?.close();
});

/** The first numbers of a plot's first line, as the page has them. */
const values_of = (page, id) => page.evaluate((plot) => window.sinew.plotted(plot), id);
const is_full = (page, id) => wait_for(page, (plot) => (window.sinew.plotted(plot) ?? []).filter((each) => each !== null).length >= 40, id);

test("the script's probes are plotted at once; loads and objects are chosen, kept and closed", async () => {
    const { page, complaints } = await open_page(browser, program.address, { width: 1440, height: 900 });
    await wait_for(page, () => window.sinew?.frame() != null && window.sinew.status().valid === window.sinew.status().frame_count);
    await page.keyboard.press("p");
    await is_full(page, "probe-height");
    const heights = await values_of(page, "probe-height");
    assert.ok(Math.abs(heights[0] + Math.cos(0.5)) < 1e-6, `the probe begins at ${heights[0]}`);
    assert.ok(Math.min(...heights) < -0.999, "the pendulum does not go through its lowest place");

    const bob = await find_object(page, "bob");
    await page.$eval(test_id(`object-${bob}`), (node) => node.click());
    await is_full(page, "chosen");
    assert.ok(Math.abs((await values_of(page, "chosen"))[0] - heights[0]) < 1e-6, "the height of the bob is something else than its probe");
    await press(page, "keep-plot");
    await page.waitForSelector(test_id("plot-kept-object-bob-1"));
    await page.keyboard.press("Escape");
    await is_full(page, "kept-object-bob-1"); // it stays without a selection

    await page.$eval(test_id("quantity"), (select) => {
        select.value = [...select.options].find((each) => /^force of cord/.test(each.textContent)).value;
        select.dispatchEvent(new Event("change"));
    });
    await is_full(page, "chosen");
    const weight = 900 * Math.PI * 0.005 ** 2 * 9.81, forces = await values_of(page, "chosen");
    assert.ok(Math.abs(forces.at(-1) - weight) < 0.3 * weight, `the rope of ${weight} N is held by ${forces.at(-1)} N`);
    await picture(page, "plots_of_anything");
    await page.$eval(`${test_id("plot-kept-object-bob-1")} button`, (button) => button.click());
    await page.waitForSelector(test_id("plot-kept-object-bob-1"), { hidden: true });
    assert.deepEqual(complaints, []);
    await page.close();
});

test("the tree is one stop of the keyboard: arrows, folding, selecting, hiding", async () => {
    const { page, complaints } = await open_page(browser, program.address);
    await wait_for(page, () => window.sinew?.frame() != null);
    await page.focus(test_id("objects"));
    const name_at = () => page.$eval(".objects li.is-active .name", (each) => each.textContent);
    const first = await name_at();
    await page.keyboard.press("ArrowDown");
    assert.notEqual(await name_at(), first);
    assert.equal(await page.$eval(test_id("objects"), (list) => document.getElementById(list.getAttribute("aria-activedescendant"))?.querySelector(".name").textContent), await name_at());
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await wait_for(page, (name) => window.sinew.scene().objects[window.sinew.selection() ?? -1]?.name.endsWith(name), first);
    await page.keyboard.press("Delete");
    assert.equal(await page.$eval(".objects li.is-active .eye", (eye) => eye.getAttribute("aria-pressed")), "true");
    await page.keyboard.press("Delete");
    assert.equal(await page.$eval(".objects li.is-active .eye", (eye) => eye.getAttribute("aria-pressed")), "false");
    assert.equal(await page.evaluate(() => window.sinew.status().frame), 0, "arrows of the tree step through time");
    assert.deepEqual(complaints, []);
    await page.close();
});
