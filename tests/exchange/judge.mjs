// What others say of exported files, as JSON on standard output.
//   judge.mjs gltf FILE                  Khronos' validator: its counts and messages
//   judge.mjs three FILE TIME NAME...    three.js in a browser: where nodes are at a time, and how many meshes there are
//   judge.mjs usd FILE                   tinyusdz in a browser: the meshes it finds, with their first corner

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import validator from "gltf-validator";
import { existsSync } from "node:fs";

const kModules = fileURLToPath(new URL("node_modules/", import.meta.url));
const kBrowsers = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const kTypes = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const kPage = `<!doctype html><script type="importmap">{"imports":{"three":"/modules/three/build/three.module.js",
"three/addons/":"/modules/three/examples/jsm/"}}</script>`;

async function validate(file) {
    const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(file)));
    return { errors: issues.numErrors, warnings: issues.numWarnings, messages: issues.messages.slice(0, 5) };
}

/** Runs a function in a page that reaches the file as /file and packages as /modules. */
async function in_browser(file, work, ...values) {
    const server = createServer((request, response) => {
        const path = new URL(request.url, "http://localhost").pathname;
        const source = path === "/file" ? file : path.startsWith("/modules/") ? resolve(kModules, path.slice(9)) : null;
        response.setHeader("Content-Type", kTypes[extname(source ?? "page.html")] ?? "application/octet-stream");
        response.end(source ? readFileSync(source) : kPage);
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const browser = await puppeteer.launch({
        executablePath: kBrowsers.find((each) => each && existsSync(each)), headless: true,
        args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"],
    });
    try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        return await page.evaluate(work, ...values);
    } finally {
        await browser.close();
        server.close();
    }
}

const load_three = async (time, names) => {
    const { AnimationMixer, Vector3 } = await import("three");
    const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
    const { scene, animations } = await new GLTFLoader().loadAsync("/file");
    const mixer = new AnimationMixer(scene);
    animations.forEach((clip) => mixer.clipAction(clip).play());
    mixer.setTime(time);
    scene.updateMatrixWorld(true);
    const places = {};
    let meshes = 0;
    scene.traverse((node) => {
        meshes += node.isMesh ? 1 : 0;
        const name = node.userData.name ?? node.name;
        if (names.includes(name)) places[name] = node.getWorldPosition(new Vector3()).toArray();
    });
    return { places, meshes, duration: animations[0]?.duration ?? 0 };
};

const load_usd = async () => {
    const make = (await import("/modules/tinyusdz/tinyusdz.js")).default;
    const module = await make({ locateFile: (name) => `/modules/tinyusdz/${name}` });
    const loader = new module.TinyUSDZLoaderNative();
    const bytes = new Uint8Array(await (await fetch("/file")).arrayBuffer());
    const is_read = loader.loadFromBinary(bytes, "file.usdc");
    const meshes = {};
    for (let i = 0; is_read && i < loader.numMeshes(); ++i) {
        const mesh = loader.getMesh(i);
        meshes[mesh.primName] = Array.from(mesh.points.slice(0, 3));
    }
    return { is_read, meshes, error: is_read ? "" : loader.error?.() ?? "" };
};

const [what, file, ...rest] = process.argv.slice(2);
const answer = what === "gltf" ? await validate(file)
    : what === "three" ? await in_browser(file, load_three, Number(rest[0]), rest.slice(1))
    : await in_browser(file, load_usd);
console.log(JSON.stringify(answer));
