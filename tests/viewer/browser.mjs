// A browser without a screen and with WebGL in software, and what tests do with its pages.

import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";

export const kPictures = fileURLToPath(new URL("../../build/viewer-tests/", import.meta.url));
const kBrowsers = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function open_browser() {
    mkdirSync(kPictures, { recursive: true });
    const program = kBrowsers.find((each) => each && existsSync(each));
    if (!program) throw new Error("no chromium: install it, or name it in CHROMIUM");
    return puppeteer.launch({
        executablePath: program, headless: true,
        args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--hide-scrollbars"],
    });
}

/** A page at the address, with everything it complains about in `complaints`. */
export async function open_page(browser, address, { width = 1200, height = 640, seen_help = true, theme = "light", shadows = false, autoplay = false, touch = false, shows = {} } = {}) {
    const context = await browser.createBrowserContext(), page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => { if (["error", "warn"].includes(message.type())) complaints.push(message.text()); });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.setDefaultTimeout(kPatience);
    await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    await page.evaluateOnNewDocument((seen, shown, plays) => {
        if (seen) localStorage.setItem("sinew.seen_help", "1");
        if (!plays) localStorage.setItem("sinew.autoplay", "off");
        localStorage.setItem("sinew.shows", JSON.stringify(shown));
    }, seen_help, { shadows, ...shows }, autoplay);
    await page.goto(address);
    return { page, complaints };
}

export const test_id = (name) => `[data-testid="${name}"]`;

export const picture = (page, name) => page.screenshot({ path: `${kPictures}${name}.png` });

/** Presses a button whether or not something moves meanwhile. */
export const press = (page, name) => page.$eval(test_id(name), (button) => button.click());

/** Long enough for a machine that does many other things: tests wait for conditions, never for a time. */
export const kPatience = 90000;

export const wait_for = (page, condition, ...values) => page.waitForFunction(condition, { timeout: kPatience, polling: 50 }, ...values);

/** Waits until something outside of the page is so; `condition` gives what the test goes on with. */
export async function wait_until(condition, what) {
    for (const begin = Date.now(); Date.now() - begin < kPatience; await new Promise((resolve) => setTimeout(resolve, 50))) {
        const found = await condition();
        if (found) return found;
    }
    throw new Error(`waited ${kPatience} ms in vain: ${what}`);
}

/** Shows a frame and waits until it is drawn. */
export async function step_to(page, frame) {
    await wait_for(page, () => window.sinew?.frame() != null);
    await page.evaluate((to) => window.sinew.send({ type: "seek", frame: to }), frame);
    await wait_for(page, (to) => window.sinew.frame()?.frame === to, frame);
}

/** The picture's pixels, as a text to compare. */
export async function pixels(page) {
    return (await page.$(test_id("picture"))).screenshot({ encoding: "base64" });
}

export async function find_object(page, name) {
    const object = await page.evaluate((wanted) => window.sinew.scene().objects.findIndex((each) => each.name === wanted), name);
    if (object < 0) throw new Error(`the scene has no ${name}`);
    return object;
}

/** Types a number beside the slider. */
export async function set_parameter(page, name, value) {
    const input = await page.waitForSelector(test_id(`parameter-${name}`));
    await input.evaluate((each) => { each.focus(); each.select(); });
    await page.keyboard.type(`${value}`);
    await page.keyboard.press("Enter");
    await wait_for(page, (wanted, to) => {
        const known = window.sinew.scene().parameters.find((each) => each.name === wanted);
        return known?.value === to && window.sinew.status().can_undo;
    }, name, value);
}
