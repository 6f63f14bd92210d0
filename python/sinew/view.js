// Draws the shapes of a frame as flat faces, farthest first. A pose is twelve numbers: axes x, y, z and the origin.
const root = document.currentScript.parentElement;
const { frames, elements, meshes } = JSON.parse(root.querySelector("[type='application/json']").text);
const [canvas, button, slider] = ["canvas", "button", "input"].map((each) => root.querySelector(each)), pen = canvas.getContext("2d");
let turn = 0.6, tilt = 0.3, zoom = 1, timer = null, held = null;
const kSides = 16;

const low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
const grow = (x, by) => x.forEach((v, k) => { low[k] = Math.min(low[k], v - by); high[k] = Math.max(high[k], v + by); });
for (const [points, poses] of frames)
    for (const e of elements) {
        const half = Math.max(e.radius, ...e.size.map((s) => s / 2));
        if (e.kind === "plane") continue;
        if (["sphere", "curve", "spring", "polygon", "surface"].includes(e.kind))
            for (let i = e.first; i < e.first + e.count; ++i) grow(points.slice(3 * i, 3 * i + 3), e.radius);
        else grow(poses.slice(12 * e.first + 9, 12 * e.first + 12), half);
    }
const middle = low.map((l, k) => (l + high[k]) / 2), size = Math.max(1e-9, Math.hypot(...high.map((h, k) => h - low[k])));

/// Screen x, screen y, nearness, pixels a metre.
const put = (x) => {
    const [a, b, c] = x.map((v, k) => (v - middle[k]) / size), [ct, st] = [Math.cos(turn), Math.sin(turn)];
    const u = ct * a + st * c, v = -st * a + ct * c;
    const w = Math.cos(tilt) * b - Math.sin(tilt) * v, near = Math.sin(tilt) * b + Math.cos(tilt) * v;
    const scale = zoom * canvas.height * 1.25 / (1.6 - near * 0.7);
    return [canvas.width / 2 + u * scale, canvas.height / 2 - w * scale, near, scale / size];
};
const colour = (c, light) => `rgb(${c.map((v) => Math.round(255 * Math.min(1, v * light))).join()})`;
const placed = (pose, [x, y, z]) => [0, 1, 2].map((k) => pose[9 + k] + pose[k] * x + pose[3 + k] * y + pose[6 + k] * z);
const ring = (r, y) => Array.from({ length: kSides }, (_, i) => [r * Math.cos(2 * Math.PI * i / kSides), y, r * Math.sin(2 * Math.PI * i / kSides)]);

/// The faces of a shape about its own origin.
const faces_of = (e) => {
    const [x, y, z] = e.size.map((s) => s / 2);
    if (e.kind === "box") {
        const c = [-1, 1].flatMap((i) => [-1, 1].flatMap((j) => [-1, 1].map((k) => [i * x, j * y, k * z])));
        return [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]].map((f) => f.map((i) => c[i]));
    }
    if (e.kind === "mesh") {
        const { vertices: v, triangles: t } = meshes[e.mesh], corner = (i) => v.slice(3 * i, 3 * i + 3);
        return Array.from({ length: t.length / 3 }, (_, i) => [corner(t[3 * i]), corner(t[3 * i + 1]), corner(t[3 * i + 2])]);
    }
    const cap = e.kind === "capsule" ? [0.38, 0.71, 0.92] : [];
    const rings = [...cap.map((s) => ring(e.radius * Math.sqrt(1 - (1 - s) ** 2) , -y - e.radius * (1 - s))), ring(e.radius, -y),
        ring(e.kind === "cone" ? 1e-6 : e.radius, y), ...cap.reverse().map((s) => ring(e.radius * Math.sqrt(1 - (1 - s) ** 2), y + e.radius * (1 - s)))];
    const out = [rings[0], [...rings.at(-1)].reverse()];
    for (let r = 0; r + 1 < rings.length; ++r)
        for (let i = 0; i < kSides; ++i) { const j = (i + 1) % kSides; out.push([rings[r][i], rings[r + 1][i], rings[r + 1][j], rings[r][j]]); }
    return out;
};
const shapes = elements.map((e) => (["box", "capsule", "cylinder", "cone", "mesh"].includes(e.kind) ? faces_of(e) : null));

const face = (out, c, corners, both) => {
    const at = corners.map(put), [a, b, d] = corners;
    const u = b.map((v, k) => v - a[k]), v = d.map((w, k) => w - a[k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], l = Math.hypot(...n) || 1;
    const area = at.reduce((s, p, i) => { const q = at[(i + 1) % at.length]; return s + p[0] * q[1] - q[0] * p[1]; }, 0);
    const up = (area < 0 ? 1 : -1) * (n[0] * 0.35 + n[1] * 0.85 + n[2] * 0.4) / l;
    out.push([at.reduce((s, p) => s + p[2], 0) / at.length, () => {
        pen.fillStyle = pen.strokeStyle = colour(c, 0.75 + 0.35 * (both ? Math.abs(up) : up)); pen.lineWidth = 0.5;
        pen.beginPath(); at.forEach((p) => pen.lineTo(p[0], p[1])); pen.closePath(); pen.fill(); pen.stroke();
    }]);
};
const ball = (out, e, x) => {
    const p = put(x), r = Math.max(1, e.radius * p[3]);
    out.push([p[2], () => {
        const g = pen.createRadialGradient(p[0] - r / 3, p[1] - r / 3, r / 10, p[0], p[1], r);
        g.addColorStop(0, colour(e.colour, 1.35)); g.addColorStop(1, colour(e.colour, 0.6));
        pen.fillStyle = g; pen.beginPath(); pen.arc(p[0], p[1], r, 0, 7); pen.fill();
    }]);
};
const stick = (out, e, a, b) => {
    const p = put(a), q = put(b);
    out.push([(p[2] + q[2]) / 2, () => {
        pen.strokeStyle = colour(e.colour, 0.95); pen.lineCap = "round"; pen.lineWidth = Math.max(1, 2 * e.radius * p[3]);
        pen.beginPath(); pen.moveTo(p[0], p[1]); pen.lineTo(q[0], q[1]); pen.stroke();
    }]);
};
const ground = (out, pose) => {
    const step = size / 8;
    for (let i = -4; i < 4; ++i)
        for (let k = -4; k < 4; ++k) {
            const tile = [[i, k], [i, k + 1], [i + 1, k + 1], [i + 1, k]].map(([x, z]) => {
                const p = placed(pose, [0, 0, 0]), n = [pose[3], pose[4], pose[5]], at = [middle[0] + x * step, p[1], middle[2] + z * step];
                at[1] = n[1] ? p[1] - (n[0] * (at[0] - p[0]) + n[2] * (at[2] - p[2])) / n[1] : p[1];
                return at;
            });
            face(out, (i + k) % 2 ? [0.86, 0.87, 0.89] : [0.9, 0.91, 0.93], tile, true);
        }
};
const show = () => {
    const [points, poses] = frames[slider.value], point = (i) => points.slice(3 * i, 3 * i + 3), out = [], floor = [];
    elements.forEach((e, index) => {
        const pose = poses.slice(12 * e.first, 12 * e.first + 12), own = Array.from({ length: e.count }, (_, i) => e.first + i);
        if (shapes[index]) for (const f of shapes[index]) face(out, e.colour, f.map((x) => placed(pose, x)), e.kind === "mesh");
        else if (e.kind === "plane") ground(floor, pose);
        else if (e.kind === "sphere") ball(out, e, point(e.first));
        else if (e.kind === "polygon") face(out, e.colour, own.map(point), true);
        else if (e.kind === "surface") {
            const t = meshes[e.mesh].triangles;
            for (let i = 0; i < t.length; i += 3) face(out, e.colour, [0, 1, 2].map((k) => point(e.first + t[i + k])), true);
        } else for (let i = 0; i + (e.closed ? 0 : 1) < e.count; ++i) stick(out, e, point(own[i]), point(own[(i + 1) % e.count]));
    });
    pen.clearRect(0, 0, canvas.width, canvas.height);
    for (const layer of [floor, out]) layer.sort((a, b) => a[0] - b[0]).forEach(([, draw]) => draw());
};
slider.oninput = show;
canvas.onpointerdown = (e) => { held = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); };
canvas.onpointermove = (e) => {
    if (!held) return;
    turn += (e.clientX - held[0]) / 150; tilt = Math.max(-1.5, Math.min(1.5, tilt + (e.clientY - held[1]) / 150));
    held = [e.clientX, e.clientY]; show();
};
canvas.onpointerup = () => { held = null; };
canvas.onwheel = (e) => { e.preventDefault(); zoom *= Math.exp(-e.deltaY / 500); show(); };
button.onclick = () => {
    if (timer) { clearInterval(timer); timer = null; }
    else timer = setInterval(() => { slider.value = (Number(slider.value) + 1) % frames.length; show(); }, 1000 / 24);
    button.textContent = timer ? "stop" : "play";
};
if (frames.length) show();
