// The picture: scene and frames in, pixels out. Drawn only when something has changed.

import {
    Color, Group, type InstancedBufferGeometry, NeutralToneMapping, PCFSoftShadowMap, Ray, Raycaster, Scene as Stage,
    SRGBColorSpace, Vector2, Vector3, WebGLRenderer,
} from "three";
import { offsets_of, type FrameData } from "../decode";
import type { Legend } from "../legend";
import type { Scene, Vec } from "../protocol";
import type { Shows } from "../toggles";
import type { Spot } from "../tools";
import { add_to, type Batch, dispose, make_batches } from "./batch";
import { Field } from "./field";
import { Framing } from "./framing";
import { type Label, Labels } from "./labels";
import { make_flags, Shared } from "./materials";
import { Overlays } from "./overlays";
import { type Hit, pick } from "./pick";
import { Places } from "./places";
import { Ruler } from "./ruler";
import { Scenery } from "./scenery";
import { Stopwatch } from "./stopwatch";

const kEase = 110; // [ms] in which camera and ground come two thirds nearer to where they belong
const kSlackPixels = 7; // how far beside a thing a click still means it

export class View {
    readonly framing: Framing;
    readonly stopwatch = new Stopwatch();
    frames_drawn = 0;
    first_picture = 0; // [ms] after the page was asked for
    label_texts: string[] = [];
    places: Places | null = null;

    private readonly renderer: WebGLRenderer;
    private readonly stage = new Stage();
    private readonly field = new Field();
    private readonly shared = new Shared(this.field);
    private readonly things = new Group();
    private readonly overlays = new Overlays(this.shared);
    private readonly scenery = new Scenery();
    private readonly labels: Labels;
    private batches: Batch[] = [];
    private scene: Scene | null = null;
    private frame: FrameData | null = null;
    private pending: FrameData | null = null;
    private is_built = false;
    private is_dirty = true;
    private drawn_at = 0;
    private ease = 1; // share of a smooth movement in this drawing
    private shows: Shows | null = null;
    private selected: number | null = null;
    private hovered: number | null = null;
    private hidden: Set<number> = new Set();
    private followed: number | null = null;
    private readonly ruler = new Ruler();
    private top = 1; // the highest layer seen, so that colours stay from frame to frame

    constructor(private readonly canvas: HTMLCanvasElement, labels: HTMLElement, private readonly legend: Legend) {
        this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: "high-performance" });
        this.renderer.shadowMap.type = PCFSoftShadowMap;
        this.renderer.toneMapping = NeutralToneMapping;
        this.labels = new Labels(labels);
        this.framing = new Framing(canvas, () => this.invalidate());
        this.stage.add(this.scenery.group, this.things, this.overlays.group, this.ruler.line);
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

    /** The next scene is another one, whatever its revision says: it is another program's, or of another script. */
    forget(is_other_script: boolean): void {
        this.scene = this.pending = null;
        if (is_other_script) this.places = null; // its camera counts
    }

    /** What stays. Meshes are made with the first frame: plates need it. */
    set_scene(scene: Scene): void {
        const is_known = this.scene?.revision === scene.revision, is_first = this.places === null;
        this.scene = scene;
        if (is_known) return; // other values, the same elements
        this.is_built = false;
        this.frame = null;
        this.pending = null;
        this.places = new Places(scene);
        this.set_ramp(scene);
        this.overlays.forget();
        this.scenery.forget();
        this.framing.start(scene, !is_first);
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
        this.scenery.show(shows.grid, shows.shadows);
        this.show_residuals();
        this.show_layers();
        this.show_roles();
    }

    select(object: number | null): void {
        this.selected = object;
        this.shared.uniforms.uSelected.value = object ?? -1;
        for (const batch of this.batches) batch.outline.visible = object !== null && batch.mesh.visible;
        this.invalidate();
    }

    hover(object: number | null): void {
        if (this.hovered === object) return;
        this.hovered = object;
        this.shared.uniforms.uHovered.value = object ?? -1;
        this.invalidate();
    }

    /** Objects that are neither drawn nor picked. */
    hide(objects: Set<number>): void {
        this.hidden = objects;
        const { uHidden } = this.shared.uniforms;
        uHidden.value.dispose();
        uHidden.value = make_flags(objects, this.scene?.objects.length ?? 1);
        this.invalidate();
    }

    /** The camera goes along with an object; null: it stays. */
    follow(object: number | null): void {
        this.followed = object;
        this.framing.follow(object === null ? null : this.place_of(object));
        this.invalidate();
    }

    /** A line between two places with its length; null: none. */
    measure(ends: Spot[]): void {
        this.ruler.set(ends.map(({ object, place }) => {
            const origin = this.place_of(object);
            return { object, place, offset: origin ? (place.map((each, i) => each - origin[i]) as Vec) : null };
        }));
        this.invalidate();
    }

    get measured(): number | null {
        return this.ruler.length;
    }

    /** The selected object's ghost, so far away; null hides it. */
    ghost(by: Vec | null): void {
        for (const batch of this.batches) batch.ghost.visible = by !== null && batch.mesh.visible;
        this.shared.uniforms.uGhost.value = by ?? [0, 0, 0];
        this.invalidate();
    }

    set_colours(style: CSSStyleDeclaration, is_dark: boolean): void {
        this.shared.uniforms.uAccent.value.set(style.getPropertyValue("--accent").trim());
        this.scenery.set_colours(new Color(style.getPropertyValue("--grid").trim()), is_dark);
        this.shared.uniforms.uLift.value = is_dark ? 0.34 : 0;
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
        return pick(this.ray(x, y), this.batches, this.frame, kSlackPixels * pixel, this.hidden);
    }

    /** Where an object is on the page, in CSS pixels. */
    project(object: number): [number, number] | null {
        return this.to_page(this.place_of(object));
    }

    place_along(object: number, along: number): Vec | null {
        return (this.frame && this.places?.along(object, along, this.frame)) ?? null;
    }

    project_along(object: number, along: number): [number, number] | null {
        return this.to_page(this.place_along(object, along));
    }

    private to_page(place: Vec | null): [number, number] | null {
        if (!place) return null;
        this.framing.camera.updateMatrixWorld();
        const at = new Vector3(...place).project(this.framing.camera), box = this.canvas.getBoundingClientRect();
        return [box.left + (at.x * 0.5 + 0.5) * box.width, box.top + (0.5 - at.y * 0.5) * box.height];
    }

    place_of(object: number): Vec | null {
        return (this.frame && this.places?.of(object, this.frame)) ?? null;
    }

    /** Red, green and blue, 0 to 255, at a place of the page. */
    pixel(x: number, y: number): number[] {
        const picture = this.screenshot(), box = this.canvas.getBoundingClientRect(), scale = picture.width / box.width;
        const at = [(x - box.left) * scale, (y - box.top) * scale].map(Math.round);
        return [...picture.getContext("2d")!.getImageData(at[0], at[1], 1, 1).data].slice(0, 3);
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
        if (this.frame && this.scene && this.scenery.update(this.scene, this.frame, this.framing, this.ease)) this.is_dirty = true;
        this.update_labels();
        this.stopwatch.end();
        this.renderer.render(this.stage, this.framing.camera);
        this.stopwatch.submitted();
        ++this.frames_drawn;
        if (this.frame && this.first_picture === 0) this.first_picture = performance.now();
    }

    private take_frame(frame: FrameData): void {
        this.pending = null;
        this.frame = frame;
        this.field.write(frame.floats);
        this.shared.uniforms.uPoses.value = offsets_of(frame).poses;
        this.show_residuals();
        this.show_layers();
        if (!this.is_built) this.build(frame);
        this.framing.include(frame);
        if (this.followed !== null) this.framing.follow(this.place_of(this.followed));
        this.overlays.update(frame, this.framing.size, this.scene!.unit);
    }

    private build(frame: FrameData): void {
        dispose(this.batches);
        this.batches = make_batches(this.scene!, this.shared, frame.floats);
        add_to(this.things, this.batches);
        this.is_built = true;
        this.show_roles();
        this.select(this.selected);
    }

    private show_residuals(): void {
        const is_shown = this.frame !== null && this.frame.residuals > 0 && this.shows?.residuals;
        this.shared.uniforms.uResiduals.value = is_shown ? offsets_of(this.frame!).residuals : -1;
    }

    private set_ramp(scene: Scene): void {
        this.top = 1;
        const { uRamp, uAir } = this.shared.uniforms;
        scene.layer_colours?.ramp.forEach((colour, i) => uRamp.value[i]?.setRGB(...colour, SRGBColorSpace));
        if (scene.layer_colours) uAir.value.setRGB(...scene.layer_colours.air, SRGBColorSpace);
    }

    private show_layers(): void {
        const { frame, scene } = this, is_shown = frame !== null && frame.layers > 0 && this.shows?.layers === true;
        const begin = is_shown ? offsets_of(frame).layers : -1;
        for (let i = 0; is_shown && i < frame.layers; ++i) this.top = Math.max(this.top, frame.floats[begin + i]);
        this.shared.uniforms.uLayers.value = begin;
        this.shared.uniforms.uTop.value = this.top;
        this.legend.show(is_shown ? scene : null, this.top);
    }

    private show_roles(): void {
        if (!this.shows) return;
        for (const batch of this.batches) {
            const { role, kind } = batch;
            batch.mesh.visible = kind !== "plane" && (role === "thing" || role === "mount" || (role === "constraint" && this.shows.constraints) ||
                (role === "label" && this.shows.labels) || (role === "frame" && this.shows.frames) ||
                (role === "twist" && this.shows.twist));
        }
        this.invalidate();
    }

    private update_labels(): void {
        const labels: Label[] = [], { frame, scene, places, shows } = this;
        if (frame && scene && places && shows) {
            const add = (object: number, kind: Label["kind"]) => {
                const place = places.of(object, frame), name = scene.objects[object]?.name;
                if (place && name) labels.push({ text: name, kind, place });
            };
            if (this.selected !== null) add(this.selected, "selected");
            if (this.hovered !== null && this.hovered !== this.selected) add(this.hovered, "name");
            if (shows.residuals) this.add_residuals(labels, frame, places);
            if (shows.forces) labels.push(...this.overlays.newtons_of_forces(frame));
            if (shows.contacts) labels.push(...this.overlays.newtons_of_contacts(frame));
            for (let i = 1; shows.names && i < scene.objects.length && labels.length < 120; ++i)
                if (i !== this.selected && i !== this.hovered && places.has(i)) add(i, "name");
        }
        this.ruler.update((object) => this.place_of(object), labels);
        this.label_texts = labels.map((label) => `${label.kind} ${label.text}`);
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
