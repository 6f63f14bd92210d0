// The page on a desk, on a tablet and on a phone: the picture comes first, drawers open over it, and
// everything can be reached without a mouse or eyes.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { find_object, open_browser, open_page, picture, press, step_to, test_id, wait_for } from "./browser.mjs";
import { start_program } from "./program.mjs";

const kAxe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser, program;
before(async () => {
    browser = await open_browser();
    program = await start_program("rope_bridge.charli");
});
after(async () => {
    await browser?.close();
    await program?.close();
});

/** What axe finds wrong, in a line each. */
async function violations_of(page) {
    const cdp = await page.createCDPSession(); // the page's policy refuses scripts that are added to it
    await cdp.send("Runtime.evaluate", { expression: kAxe });
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((each) => `${each.target.join(" ")} ${each.html}`).slice(0, 3).join(" | ")}`);
}

/** Where an element is, and whether it is wholly inside the window. */
const box_of = (page, selector) => page.$eval(selector, (node) => {
    const { left, top, right, bottom, width, height } = node.getBoundingClientRect();
    return { left, top, width, height, is_inside: left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1 };
});

const kSizes = [["phone", 390, 844], ["phone_flat", 844, 390], ["tablet", 768, 1024], ["desk", 1440, 900]];
for (const [name, width, height] of kSizes)
    test(`${name}: the picture has room, nothing is cut off, axe finds nothing`, async () => {
        const { page, complaints } = await open_page(browser, program.address, { width, height, touch: width < 1000 });
        await step_to(page, 3);
        await wait_for(page, () => window.sinew.has_editor());
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "the page is wider than the window");
        const stage = await box_of(page, "#stage");
        assert.ok(stage.width >= (width < 1100 ? width : 0.45 * width), `the picture is ${stage.width} wide`);
        assert.ok(stage.height >= 0.55 * height, `the picture is ${stage.height} high`);
        for (const id of ["play", "timeline", "show-gallery", "toggle-editor", "toggle-panel"])
            assert.ok((await box_of(page, test_id(id))).is_inside, `${id} is outside the window`);
        await picture(page, `layout_${name}`);
        assert.deepEqual(await violations_of(page), []);
        for (const pane of ["editor", "panel"]) {
            if (width >= 1100) break;
            await press(page, `toggle-${pane}`);
            const drawer = await box_of(page, pane === "editor" ? "#editor-pane" : "#panel");
            assert.ok(drawer.is_inside && drawer.width >= 240 && drawer.height >= 150, `the drawer is ${JSON.stringify(drawer)}`);
            await picture(page, `layout_${name}_${pane}`);
            if (name === "phone") assert.deepEqual(await violations_of(page), []);
        }
        await page.keyboard.press("Escape");
        assert.ok((await box_of(page, "#stage")).height >= 0.55 * height);
        assert.deepEqual(complaints, []);
        await page.close();
    });

test("the script's camera is fitted: what it frames is seen in a window of any shape", async () => {
    for (const [width, height] of [[390, 844], [1440, 900]]) {
        const { page } = await open_page(browser, program.address, { width, height, touch: width < 1000 });
        await step_to(page, 3);
        const stage = await box_of(page, "#stage"), ropes = await Promise.all(["foot_left", "hand_right"].map((name) => find_object(page, name)));
        for (const rope of ropes)
            for (const along of [0, 0.25, 0.5, 0.75, 1]) {
                const [x, y] = await page.evaluate((object, at) => window.sinew.project_along(object, at), rope, along);
                assert.ok(x >= stage.left && x <= stage.left + stage.width && y >= stage.top && y <= stage.top + stage.height, `${along} along is at ${x}, ${y}`);
            }
        const { up, wanted } = await page.evaluate(() => ({
            up: Math.tan((window.sinew.camera.fov * Math.PI) / 360), wanted: Math.tan(window.sinew.scene().camera.fov / 2) }));
        assert.ok(up >= wanted * 0.999, `it sees ${up} upwards, the script ${wanted}`);
        await page.close();
    }
});
