// Speaks viewer/PROTOCOL.md without simulating anything: strands that wave, with as many points as
// wanted, for measuring the page and for trying it without the program.
//
//   node mock_server.mjs [POINTS [FRAMES_PER_SECOND]]

import { createServer } from "node:http";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";

const kPage = fileURLToPath(new URL("../../viewer/dist", import.meta.url));
const kTypes = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const kPerStrand = 100;
const kKept = 20; // frames
const kColours = [[0.0, 0.45, 0.7], [0.84, 0.37, 0.0], [0.0, 0.62, 0.45], [0.8, 0.47, 0.65], [0.9, 0.62, 0.0]];

function policy(nonce) {
    return "default-src 'none'; script-src 'self'; " + `style-src 'self' 'nonce-${nonce}'; ` +
        "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

function serve(request, response) {
    const path = new URL(request.url, "http://mock").pathname, nonce = randomBytes(12).toString("base64");
    const file = path === "/" ? "index.html" : path.slice(1);
    try {
        const text = readFileSync(join(kPage, file));
        response.writeHead(200, { "content-type": kTypes[extname(file)] ?? "text/plain", "content-security-policy": policy(nonce) });
        response.end(file === "index.html" ? text.toString().replaceAll("__NONCE__", nonce) : text);
    } catch {
        response.writeHead(404);
        response.end();
    }
}

/** Strands hanging in a square, a sphere at the tip of each, a spring, a plate and a box. */
function make_scene(points) {
    const strands = Math.max(1, Math.floor(points / kPerStrand)), side = Math.ceil(Math.sqrt(strands));
    const objects = [object("world")], elements = [];
    for (let i = 0; i < strands; ++i) {
        const colour = kColours[i % kColours.length], first = i * kPerStrand;
        objects.push({ ...object(`strand${i}`), is_dynamic: true, mass: 0.1 });
        elements.push({ kind: "curve", object: i + 1, colour, radius: 0.012, first, count: kPerStrand });
        elements.push({ kind: "sphere", object: i + 1, colour, radius: 0.05, first: first + kPerStrand - 1 });
    }
    const half = side * 0.15;
    return {
        type: "scene", revision: 1, frame_rate: 60, start: 0, frame_count: 600, unit: 0.03,
        bounds: [[-half, 0, -half], [half, 2, half]], camera: null, point_count: strands * kPerStrand, pose_count: 0,
        objects, elements, meshes: [], constraints: [],
        probes: ["wave height"], loads: ["strand0.fusion"],
        parameters: [{ name: "wave", value: 0.2, low: 0, high: 1, text: "how far the strands wave", unit: "m" }],
    };
}

function object(name) {
    return { name, parent: 0, is_dynamic: false, is_fixed: false, is_pinned: false, mass: 0, line: 1 };
}

function make_frame(scene, frame, wave) {
    const bytes = new ArrayBuffer(56 + scene.point_count * 12), header = new DataView(bytes);
    const at = new Float32Array(bytes, 56), time = frame / 60;
    header.setUint32(0, 0x46574e53, true);
    header.setUint32(4, scene.revision, true);
    header.setUint32(8, frame, true);
    header.setFloat64(16, time, true);
    header.setUint32(24, scene.point_count, true);
    const strands = scene.point_count / kPerStrand, side = Math.ceil(Math.sqrt(strands));
    for (let i = 0, k = 0; i < strands; ++i) {
        const x = ((i % side) - side / 2) * 0.3, z = (Math.floor(i / side) - side / 2) * 0.3;
        for (let j = 0; j < kPerStrand; ++j) {
            const s = j / (kPerStrand - 1), swing = wave * s * Math.sin(2 * time + 3 * s + 0.4 * x);
            at[k++] = x + swing;
            at[k++] = 2 - 1.6 * s;
            at[k++] = z + wave * s * Math.cos(1.6 * time + 2 * s + 0.4 * z);
        }
    }
    return bytes;
}

/** Frames are made once, so that the processor is the page's own while it is measured. */
const kept = new Map();
function kept_frame(scene, frame, wave) {
    const key = `${scene.point_count} ${frame % kKept} ${wave}`;
    if (!kept.has(key)) kept.set(key, make_frame(scene, frame, wave));
    new DataView(kept.get(key)).setUint32(8, frame, true);
    return kept.get(key);
}

/** One page's session: frames at the wanted rate, the newest only when the page is slow. */
function converse(socket, scene, rate) {
    const status = {
        type: "status", frame: 0, time: 0, is_playing: true, speed: 1, loop: true, valid: 450, stale: 520, frame_count: 600,
        is_computing: true, can_undo: false, can_redo: false, is_changed: false, fault: null, steps_ms: 0.4,
    };
    let wave = scene.parameters[0].value;
    const say = (message) => socket.send(JSON.stringify(message));
    const show = () => {
        status.time = status.frame / 60;
        say(status);
        if (socket.bufferedAmount < 1e6) socket.send(kept_frame(scene, status.frame, wave));
    };
    say({ type: "welcome", protocol: 2, version: "mock", name: "strands.charli", is_recording: false, can_simulate: true });
    say(scene);
    say({ type: "script", text: "# strands\nparam wave = 0.2 [0..1];\n", revision: 1 });
    say({ type: "series", first: 0, columns: ["time", "kinetic", "potential", "residual", "steps", "ms"],
        rows: Array.from({ length: 450 }, (_, i) => [i / 60, 1 + Math.sin(i / 20), 1 - Math.sin(i / 20), 1e-12 * (2 + Math.sin(i)), 4 + (i % 3), 0.4]) });
    show();
    const timer = setInterval(() => {
        if (!status.is_playing) return;
        status.frame = (status.frame + 1) % 600;
        show();
    }, 1000 / rate);
    socket.on("close", () => clearInterval(timer));
    socket.on("message", (text) => {
        const message = JSON.parse(text);
        if (message.type === "play" || message.type === "pause") status.is_playing = message.type === "play";
        if (message.type === "seek") status.frame = message.frame;
        if (message.type === "step") { status.frame += message.by; status.is_playing = false; }
        if (message.type === "watch")
            for (const { kind, number } of message.list)
                say({ type: "watch", kind, number, first: 0, rows: Array.from({ length: 450 }, (_, i) => kind === "object" ? [0, Math.sin(i / 20), 0, 1] : [Math.cos(i / 30), 0, 0]) });
        if (message.type === "parameter") wave = message.value;
        if (message.type === "select" && message.object !== null)
            say({ type: "inspect", object: message.object, name: "", rows: [["position", "1.000, 0.500, 0.000 m"], ["speed", "0.25 m/s"]] });
        show();
    });
}

export function start_mock(points = 1000, rate = 60) {
    const scene = make_scene(points), http = createServer(serve), sockets = new WebSocketServer({ server: http, path: "/ws" });
    sockets.on("connection", (socket) => converse(socket, scene, rate));
    return new Promise((resolve) => http.listen(0, "127.0.0.1", () => resolve({
        address: `http://127.0.0.1:${http.address().port}/`,
        close: () => { for (const socket of sockets.clients) socket.terminate(); http.close(); },
    })));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
    console.log((await start_mock(Number(process.argv[2] ?? 1000), Number(process.argv[3] ?? 60))).address);
