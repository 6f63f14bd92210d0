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
export async function open_page(browser, address, { width = 1280, height = 800, seen_help = true, theme = "light" } = {}) {
    const context = await browser.createBrowserContext(), page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => { if (["error", "warn"].includes(message.type())) complaints.push(message.text()); });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    if (seen_help) await page.evaluateOnNewDocument(() => localStorage.setItem("sinew.seen_help", "1"));
    await page.goto(address);
    return { page, complaints };
}

export const test_id = (name) => `[data-testid="${name}"]`;

export const picture = (page, name) => page.screenshot({ path: `${kPictures}${name}.png` });
