// Pages of strangers in the browser that has the viewer open: one of another address, and one of the viewer's own address at another
// port, which cookies do not tell apart.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { open_browser, open_page, wait_for } from "./browser.mjs";
import { start_program } from "./program.mjs";

let browser, program, stranger, heard;
before(async () => {
    browser = await open_browser();
    program = await start_program("fig03_triple_pendulum.charli");
    heard = [];
    stranger = createServer((request, response) => {
        heard.push(request.headers.cookie ?? "");
        response.setHeader("Content-Type", "text/html");
        response.end("<!doctype html><title>A stranger</title>");
    });
    await new Promise((resolve) => stranger.listen(0, "0.0.0.0", resolve));
});
after(async () => {
    await browser?.close();
    await program?.close();
    stranger?.close();
});

/** What a page can try against the viewer: the names of what succeeded. */
const try_everything = (page, viewer) => page.evaluate(async (viewer) => {
    const done = [];
    const tried = async (name, action) => { if (await action().catch(() => false)) done.push(name); };
    const loaded = (kind, facts) => new Promise((resolve) => {
        const made = Object.assign(document.createElement(kind), facts);
        made.onload = () => resolve(true);
        made.onerror = () => resolve(false);
        document.body.append(made);
    });
    const socket = (...more) => new Promise((resolve) => {
        const line = new WebSocket(viewer.replace("http", "ws") + "/ws", ...more);
        line.onopen = () => resolve(true);
        line.onerror = () => resolve(false);
    });
    await tried("fetch", async () => (await fetch(viewer + "/", { credentials: "include" })).ok);
    await tried("POST", async () => (await fetch(viewer + "/", { method: "POST", body: "x", credentials: "include" })).ok);
    await tried("script", () => loaded("script", { src: viewer + "/index.html" }));
    await tried("picture", () => loaded("img", { src: viewer + "/gallery/README.png" }));
    await tried("WebSocket", () => socket());
    await tried("WebSocket with a protocol", () => socket(["sinew"]));
    await tried("frame", async () => {
        const frame = document.createElement("iframe");
        await new Promise((resolve) => { frame.onload = resolve; frame.src = viewer + "/"; document.body.append(frame); });
        return frame.contentDocument !== null;
    });
    return done;
}, viewer);

/** The status of a WebSocket's request by a program, which may say what it likes. */
const status_with = (address, cookie, protocol) => new Promise((resolve, reject) => {
    const line = connect(address.port, address.hostname);
    line.on("error", reject);
    line.once("data", (data) => { resolve(Number(String(data).split(" ")[1])); line.destroy(); });
    line.write([`GET /ws HTTP/1.1`, `Host: ${address.host}`, `Origin: ${address.origin}`, `Cookie: ${cookie}`, "Connection: Upgrade", "Upgrade: websocket",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", `Sec-WebSocket-Protocol: ${protocol}`, "", ""].join("\r\n"));
});

test("neither a page of another address nor the cookie that another port is sent opens anything", async () => {
    const address = new URL(program.address), { page, complaints } = await open_page(browser, program.address);
    await wait_for(page, () => window.sinew?.frame() != null);
    assert.equal(page.url(), `${address.origin}/`, "token and pass leave the address");
    const pass = await page.evaluate(() => localStorage.getItem("sinew.pass"));
    assert.match(pass, /^[0-9a-f]{48}$/);

    const other = await page.browserContext().newPage(), port = stranger.address().port;
    await other.goto(`http://127.0.0.1:${port}/`);
    assert.deepEqual(await try_everything(other, address.origin), []);
    assert.ok(heard.every((cookie) => !cookie.includes("sinew")), "a page of another address was sent the cookie");

    // At the viewer's own address the browser does send it, on the second look.
    await other.goto(`http://${address.hostname}:${port}/`);
    await other.evaluate(() => fetch("/again"));
    assert.deepEqual(await try_everything(other, address.origin), []);
    const cookie = heard.findLast((each) => each.includes("sinew"));
    assert.ok(cookie, "cookies know ports by now: then nothing was shown");
    assert.equal(await other.evaluate(() => localStorage.getItem("sinew.pass")), null, "the pass is the page's own");
    for (const protocol of ["", "sinew", `sinew, ${"0".repeat(48)}`]) assert.equal(await status_with(address, cookie, protocol), 401);
    assert.equal(await status_with(address, cookie, `sinew, ${pass}`), 101, "who has both comes in");
    assert.ok(heard.every((each) => !each.includes(pass)));

    await other.close(); // a page behind another draws nothing
    await page.bringToFront();
    await page.reload();
    await wait_for(page, () => window.sinew?.frame() != null);
    assert.deepEqual(complaints, []);
    await page.close();
});
