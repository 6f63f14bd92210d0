// The viewer shows what `sinew render` draws: the same framing, ground, sky and colours, in ten scenes.
// Both pictures are brought to a coarse raster, where shading by rays and by triangles differ little.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { kPictures, open_browser, open_page, step_to } from "./browser.mjs";
import { kSinew, start_program } from "./program.mjs";

const kScenes = ["rope_bridge", "wrecking_ball", "cow_pile", "card_house", "newtons_cradle", "long_hair", "tentacle", "necklace", "catapult", "strandbeest"];
const kFrame = 6;
const kMostApart = 28; // of 255: mean over all cells and colours; the page draws no patterns of looks
const kLeastAlike = 0.7; // correlation of both pictures' lightness

let browser;
before(async () => { browser = await open_browser(); });
after(() => browser?.close());

/** In the page: both pictures as cells of lightness and colour. */
async function compare(rendered, shown) {
    const kAcross = 48, kDown = 27;
    const cells_of = async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
        [canvas.width, canvas.height] = [kAcross, kDown];
        context.imageSmoothingQuality = "high";
        context.drawImage(image, 0, 0, kAcross, kDown);
        return context.getImageData(0, 0, kAcross, kDown).data;
    };
    const [a, b] = [await cells_of(rendered), await cells_of(shown)], count = kAcross * kDown;
    let apart = 0;
    const light = (data, i) => 0.3 * data[4 * i] + 0.6 * data[4 * i + 1] + 0.1 * data[4 * i + 2];
    const mean = (data) => Array.from({ length: count }, (_, i) => light(data, i)).reduce((sum, each) => sum + each, 0) / count;
    const [mean_a, mean_b] = [mean(a), mean(b)];
    let [ab, aa, bb] = [0, 0, 0];
    for (let i = 0; i < count; ++i) {
        for (let k = 0; k < 3; ++k) apart += Math.abs(a[4 * i + k] - b[4 * i + k]) / (3 * count);
        const [x, y] = [light(a, i) - mean_a, light(b, i) - mean_b];
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return { apart, alike: ab / Math.sqrt(aa * bb) };
}

const address_of = (png) => `data:image/png;base64,${readFileSync(png).toString("base64")}`;

for (const name of kScenes)
    test(`${name} in the viewer is as it is rendered`, async () => {
        const program = await start_program(`${name}.charli`), drawn = join(kPictures, `like_${name}.png`);
        execFileSync(kSinew, ["render", program.script, drawn, "--frame", `${kFrame}`, "--size", "480x270", "--samples", "6"], { cwd: program.folder });
        const { page, complaints } = await open_page(browser, program.address, {
            width: 960, height: 700, shadows: true, shows: { grid: false, labels: false },
        });
        await page.evaluate(() => { // a stage of the picture's shape
            for (const [key, value] of Object.entries({ width: "960px", height: "540px" })) document.getElementById("stage").style[key] = value;
        });
        await step_to(page, kFrame);
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500))); // the ground has come to rest
        const shown = await page.evaluate(() => window.sinew.picture());
        const { apart, alike } = await page.evaluate(compare, address_of(drawn), shown);
        console.log(`${name}: ${apart.toFixed(1)} apart, ${alike.toFixed(3)} alike`);
        await page.screenshot({ path: join(kPictures, `like_${name}_viewer.png`) });
        assert.ok(apart <= kMostApart && alike >= kLeastAlike, `${apart.toFixed(1)} of 255 apart, correlation ${alike.toFixed(3)}`);
        assert.deepEqual(complaints, []);
        await page.close();
        await program.close();
    });
