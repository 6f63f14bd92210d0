// The page's own work per frame, with 1,000, 10,000 and 100,000 points: decoding, buffers and scene
// (`update`), and the calls that hand them to the graphics library (`submit`, the upload of all points
// among them). One instance of each kind is drawn, for WebGL in software would share the processor
// with the page. Times in milliseconds: medians and 95th percentiles over the frames of some seconds;
// `first_picture` from the navigation to the first frame drawn; `heap_kb` what scripts allocate per
// frame, by V8's sampling profiler, collected or not.
//
//   npm run bench --prefix tests/viewer

import { start_mock } from "./mock_server.mjs";
import { open_browser, open_page } from "./browser.mjs";

const kSeconds = 8;

function share(values, fraction) {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))] : NaN;
}

/** Kilobytes of the page's own objects; the bytes of messages are not among them. */
async function allocated_per_frame(page) {
    const cdp = await page.createCDPSession(), drawn = () => page.evaluate(() => window.sinew.frameCount()), before = await drawn();
    await cdp.send("HeapProfiler.startSampling", { samplingInterval: 512, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true });
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const { profile } = await cdp.send("HeapProfiler.stopSampling"), frames = (await drawn()) - before;
    const sum = (node) => node.selfSize + node.children.reduce((all, each) => all + sum(each), 0);
    if (process.env.SINEW_BENCH_HEAP) print_heap(profile.head, frames);
    return sum(profile.head) / 1024 / Math.max(1, frames);
}

/** Which functions allocate most, for whoever wants to mend it: SINEW_BENCH_HEAP=1. */
function print_heap(head, frames) {
    const all = new Map();
    const visit = ({ callFrame, selfSize, children }) => {
        const name = `${callFrame.functionName || "?"} ${callFrame.url.split("/").pop()}:${callFrame.lineNumber}:${callFrame.columnNumber}`;
        all.set(name, (all.get(name) ?? 0) + selfSize);
        children.forEach(visit);
    };
    visit(head);
    for (const [name, bytes] of [...all].sort((a, b) => b[1] - a[1]).slice(0, 15)) console.log(`  ${(bytes / 1024 / frames).toFixed(2)} kB ${name}`);
}

async function measure(browser, points) {
    const mock = await start_mock(points, 20), { page } = await open_page(browser, mock.address, { width: 1000, height: 400 });
    await page.waitForFunction(() => window.sinew?.frameCount() > 2, { timeout: 60000 });
    await page.evaluate(() => window.sinew.draw_little());
    const drawn = await page.evaluate(() => window.sinew.frameCount()); // the full pictures before may take their time
    await page.waitForFunction((from) => window.sinew.frameCount() > from + 10, { timeout: 60000 }, drawn);
    await page.evaluate(() => window.sinew.forget_work());
    await new Promise((resolve) => setTimeout(resolve, kSeconds * 1000));
    const { work, bytes, first } = await page.evaluate(() => ({ work: window.sinew.work(), bytes: window.sinew.frame().bytes, first: window.sinew.first_picture() }));
    const heap = await allocated_per_frame(page);
    await page.close();
    mock.close();
    const ms = (values) => `${share(values, 0.5).toFixed(2)},${share(values, 0.95).toFixed(2)}`;
    console.log(`${points},${bytes},${work.update.length},${ms(work.decode)},${ms(work.update)},${ms(work.submit)},${first.toFixed(0)},${heap.toFixed(1)}`);
}

console.log("points,bytes_per_frame,frames,decode_ms,decode_95,update_ms,update_95,submit_ms,submit_95,first_picture_ms,heap_kb");
const browser = await open_browser();
for (const points of [1000, 10000, 100000]) await measure(browser, points);
await browser.close();
