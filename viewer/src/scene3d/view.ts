// The picture: scene and frames in, pixels out. Drawn only when something has changed.

import {
    Color, DirectionalLight, Group, HemisphereLight, type InstancedBufferGeometry, Matrix4, NeutralToneMapping, PCFSoftShadowMap, Ray, Raycaster,
    Scene as Stage, Vector2, Vector3, WebGLRenderer,
} from "three";
import { offsets_of, type FrameData } from "../decode";
import type { Scene, Vec } from "../protocol";
import type { Shows } from "../toggles";
import { add_to, type Batch, dispose, make_batches } from "./batch";
import { Field } from "./field";
import { Framing } from "./framing";
import { Ground } from "./ground";
import { type Label, Labels } from "./labels";
import { Shared } from "./materials";
import { Overlays } from "./overlays";
import { type Hit, pick } from "./pick";
import { Places } from "./places";
import { Stopwatch } from "./stopwatch";

const kEase = 110; // [ms] in which camera and ground come two thirds nearer to where they belong
const kSlackPixels = 7; // how far beside a thing a click still means it

export class View {
    readonly framing: Framing;
    readonly stopwatch = new Stopwatch();
    frames_drawn = 0;
    places: Places | null = null;

    private readonly renderer: WebGLRenderer;
    private readonly stage = new Stage();
    private readonly field = new Field();
    private readonly shared = new Shared(this.field);
    private readonly things = new Group();
    private readonly overlays = new Overlays(this.shared);
    private readonly ground = new Ground();
    private readonly labels: Labels;
    private readonly sun = new DirectionalLight(0xffffff, 2.3);
    private readonly sky = new HemisphereLight(0xffffff, 0x888888, 1.5);
    private batches: Batch[] = [];
    private scene: Scene | null = null;
    private frame: FrameData | null = null;
    private pending: FrameData | null = null;
    private is_built = false;
    private is_dirty = true;
    private ground_height = NaN;
    private drawn_at = 0;
    private ease = 1; // share of a smooth movement in this drawing
    private shows: Shows | null = null;
    private selected: number | null = null;

    constructor(private readonly canvas: HTMLCanvasElement, labels: HTMLElement) {
        this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: "high-performance" });
        this.renderer.shadowMap.type = PCFSoftShadowMap;
        this.renderer.toneMapping = NeutralToneMapping;
        this.labels = new Labels(labels);
        this.framing = new Framing(canvas, () => this.invalidate());
        this.sun.shadow.mapSize.set(1024, 1024);
        this.sun.shadow.radius = 5;
        this.sun.shadow.bias = -0.0004;
        this.sun.shadow.normalBias = 0.01;
        this.stage.add(this.sky, this.sun, this.sun.target, this.ground.group, this.things, this.overlays.group);
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
        this.resize();
        const tick = () => {
            requestAnimationFrame(tick);
            this.draw();
        };
        tick();
    }

    invalidate(): void {
        this.is_dirty = true;
    }

    /** What stays. Meshes are made with the first frame: polygons need it. */
    set_scene(scene: Scene): void {
        const is_same_kind = this.scene !== null;
        this.scene = scene;
        this.is_built = false;
        this.frame = null;
        this.pending = null;
        this.places = new Places(scene);
        this.overlays.forget();
        this.ground_height = NaN;
        this.framing.start(scene, is_same_kind);
    }

    /** The newest frame waits for the next drawing; what waited before is dropped. */
    set_frame(frame: FrameData): void {
        if (frame.revision !== this.scene?.revision) return;
        this.pending = frame;
        this.is_dirty = true;
    }

    get drawn(): FrameData | null {
        return this.frame;
    }

    show(shows: Shows): void {
        this.shows = shows;
        this.renderer.shadowMap.enabled = shows.shadows;
        this.sun.castShadow = shows.shadows;
        this.ground.show(shows.grid, shows.shadows);
        this.show_roles();
    }

    select(object: number | null): void {
        this.selected = object;
        this.shared.uniforms.uSelected.value = object ?? -1;
        for (const batch of this.batches) batch.outline.visible = object !== null && batch.mesh.visible;
        this.invalidate();
    }

    hover(object: number | null): void {
        if (this.shared.uniforms.uHovered.value === (object ?? -1)) return;
        this.shared.uniforms.uHovered.value = object ?? -1;
        this.invalidate();
    }

    /** The selected object's ghost, so far away; null hides it. */
    ghost(by: Vec | null): void {
        for (const batch of this.batches) batch.ghost.visible = by !== null && batch.mesh.visible;
        this.shared.uniforms.uGhost.value = by ?? [0, 0, 0];
        this.invalidate();
    }

    set_colours(style: CSSStyleDeclaration, is_dark: boolean): void {
        this.shared.uniforms.uAccent.value.set(style.getPropertyValue("--accent").trim());
        this.ground.set_colours(new Color(style.getPropertyValue("--grid").trim()), is_dark ? 0.36 : 0.34, is_dark ? 0.5 : 0.2);
        this.shared.uniforms.uLift.value = is_dark ? 0.34 : 0;
        this.sky.groundColor.set(is_dark ? 0x3a4048 : 0xb8b2a8);
        this.sky.intensity = is_dark ? 1.25 : 1.7;
        this.sun.intensity = is_dark ? 2.1 : 2.3;
        this.invalidate();
    }

    // --- between pixels and the world -----------------------------------------------------------

    ray(x: number, y: number): Ray {
        const box = this.canvas.getBoundingClientRect(), caster = new Raycaster();
        const at = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
        caster.setFromCamera(at, this.framing.camera);
        return caster.ray;
    }

    pick(x: number, y: number): Hit | null {
        if (!this.frame || !this.is_built) return null;
        const pixel = (2 * Math.tan((this.framing.camera.fov * Math.PI) / 360)) / this.canvas.clientHeight;
        return pick(this.ray(x, y), this.batches, this.frame, kSlackPixels * pixel);
    }

    /** Where an object is on the page, in CSS pixels. */
    project(object: number): [number, number] | null {
        const place = this.frame && this.places?.of(object, this.frame);
        if (!place) return null;
        this.framing.camera.updateMatrixWorld();
        const at = new Vector3(...place).project(this.framing.camera), box = this.canvas.getBoundingClientRect();
        return [box.left + (at.x * 0.5 + 0.5) * box.width, box.top + (0.5 - at.y * 0.5) * box.height];
    }

    place_of(object: number): Vec | null {
        return (this.frame && this.places?.of(object, this.frame)) ?? null;
    }

    /** The picture with its background, as it stands. */
    screenshot(): HTMLCanvasElement {
        this.is_dirty = true;
        this.draw();
        const copy = document.createElement("canvas");
        copy.width = this.canvas.width;
        copy.height = this.canvas.height;
        const context = copy.getContext("2d")!;
        context.fillStyle = getComputedStyle(this.canvas.parentElement!).backgroundColor;
        context.fillRect(0, 0, copy.width, copy.height);
        context.drawImage(this.canvas, 0, 0);
        return copy;
    }

    /** One instance of each batch: all the page's work, hardly any for the graphics device. */
    draw_little(): void {
        for (const { mesh } of this.batches) (mesh.geometry as InstancedBufferGeometry).instanceCount = 1;
    }

    // --- drawing --------------------------------------------------------------------------------

    private draw(): void {
        const now = performance.now();
        this.ease = 1 - Math.exp(-(now - this.drawn_at) / kEase);
        this.drawn_at = now;
        if (this.framing.update(this.ease)) this.is_dirty = true;
        if (!this.is_dirty) return;
        this.is_dirty = false;
        this.stopwatch.begin();
        if (this.pending) this.take_frame(this.pending);
        this.update_labels();
        this.stopwatch.end();
        this.renderer.render(this.stage, this.framing.camera);
        this.stopwatch.submitted();
        ++this.frames_drawn;
    }

    private take_frame(frame: FrameData): void {
        this.pending = null;
        this.frame = frame;
        this.field.write(frame.floats);
        const offsets = offsets_of(frame);
        this.shared.uniforms.uPoses.value = offsets.poses;
        this.shared.uniforms.uResiduals.value = frame.residuals > 0 && this.shows?.residuals ? offsets.residuals : -1;
        if (!this.is_built) this.build(frame);
        this.framing.include(frame);
        this.overlays.update(frame, this.framing.size, this.scene!.unit);
        this.update_ground(frame);
    }

    private build(frame: FrameData): void {
        dispose(this.batches);
        this.batches = make_batches(this.scene!, this.shared, frame.floats);
        add_to(this.things, this.batches);
        this.is_built = true;
        this.show_roles();
        this.select(this.selected);
    }

    private show_roles(): void {
        if (!this.shows) return;
        for (const batch of this.batches) {
            const { role, kind } = batch;
            batch.mesh.visible = kind !== "plane" && (role === "thing" || (role === "constraint" && this.shows.constraints) ||
                (role === "label" && this.shows.labels) || (role === "frame" && this.shows.frames));
        }
        this.invalidate();
    }

    /** Just below everything seen so far, or where the script's plane is. */
    private update_ground(frame: FrameData): void {
        const { bounds, size } = this.framing;
        if (this.ground.needs_fit(size)) this.ground.fit(size);
        const plane = this.scene!.elements.find((each) => each.kind === "plane");
        if (plane) {
            const f = frame.floats, p = offsets_of(frame).poses + 12 * plane.first;
            this.ground.put_on(new Matrix4().set(f[p], f[p + 1], f[p + 2], f[p + 3], f[p + 4], f[p + 5], f[p + 6],
                f[p + 7], f[p + 8], f[p + 9], f[p + 10], f[p + 11], 0, 0, 0, 1));
        } else {
            const wanted = bounds.min.y - 0.035 * size - 2 * this.scene!.unit;
            const away = wanted - this.ground_height;
            this.ground_height = Number.isNaN(this.ground_height) || Math.abs(away) < 1e-3 * size
                ? wanted : this.ground_height + this.ease * away;
            const middle = bounds.getCenter(new Vector3());
            this.ground.put(this.ground_height, middle.x, middle.z);
        }
        this.update_sun();
    }

    private update_sun(): void {
        const { bounds, size } = this.framing, middle = bounds.getCenter(new Vector3());
        this.sun.target.position.copy(middle);
        this.sun.position.copy(middle).add(new Vector3(0.35, 1, 0.55).normalize().multiplyScalar(size * 2));
        const camera = this.sun.shadow.camera, half = size * 0.8;
        if (Math.abs(camera.right - half) < 0.05 * half) return;
        camera.left = camera.bottom = -half;
        camera.right = camera.top = half;
        camera.near = 0.1 * size;
        camera.far = 5 * size;
        camera.updateProjectionMatrix();
    }

    private update_labels(): void {
        const labels: Label[] = [], { frame, scene, places, shows } = this;
        if (frame && scene && places && shows) {
            const add = (object: number, kind: Label["kind"]) => {
                const place = places.of(object, frame), name = scene.objects[object]?.name;
                if (place && name) labels.push({ text: name, kind, place });
            };
            if (this.selected !== null) add(this.selected, "selected");
            if (shows.residuals) this.add_residuals(labels, frame, places);
            for (let i = 1; shows.names && i < scene.objects.length && labels.length < 120; ++i)
                if (i !== this.selected && places.has(i)) add(i, "name");
        }
        this.labels.update(labels, this.framing.camera);
    }

    private add_residuals(labels: Label[], frame: FrameData, places: Places): void {
        const begin = offsets_of(frame).residuals;
        for (let i = 0; i < Math.min(frame.residuals, 60); ++i) {
            const place = places.of_constraint(i, frame);
            if (place) labels.push({ text: `${frame.floats[begin + i].toExponential(1)} m`, kind: "residual", place });
        }
    }

    private resize(): void {
        const parent = this.canvas.parentElement!;
        const width = Math.max(1, parent.clientWidth), height = Math.max(1, parent.clientHeight);
        this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
        this.renderer.setSize(width, height, false);
        this.framing.resize(width / height);
        this.invalidate();
    }
}
