// What surrounds the things: sky, sun with its shadows, and the ground just below them.

import { Color, DirectionalLight, Group, HemisphereLight, Matrix4, SRGBColorSpace, Vector3 } from "three";
import { offsets_of, type FrameData } from "../decode";
import type { Scene, Vec } from "../protocol";
import type { Framing } from "./framing";
import { type Hues, kDay, kDaySun, kNight, Sky } from "./backdrop";
import { Ground } from "./ground";

/** Sky and ground as the script's studio has them, whatever the theme. */
function hues_of({ low, high, near }: { low: Vec; high: Vec; near: Vec }): Hues {
    return { low: new Color(...low), high: new Color(...high), near: new Color(...near) };
}

export class Scenery {
    readonly group = new Group();
    private readonly ground = new Ground();
    private readonly backdrop = new Sky();
    private readonly sun = new DirectionalLight(0xffffff, 2.3);
    private readonly sky = new HemisphereLight(0xffffff, 0x888888, 1.5);
    private height = NaN;
    private coloured: Scene | null = null; // the scene whose ground is drawn
    private theme = { grid: new Color(), is_dark: false };
    private sun_direction = kDaySun;

    constructor() {
        this.sun.shadow.mapSize.set(1024, 1024);
        this.sun.shadow.radius = 5;
        this.sun.shadow.bias = -0.0004;
        this.sun.shadow.normalBias = 0.01;
        this.group.add(this.backdrop.mesh, this.sky, this.sun, this.sun.target, this.ground.group);
    }

    forget(): void {
        this.height = NaN;
    }

    show(grid: boolean, shadows: boolean): void {
        this.sun.castShadow = shadows;
        this.ground.show(grid, shadows);
    }

    set_colours(grid: Color, is_dark: boolean): void {
        this.theme = { grid, is_dark };
        const studio = this.coloured?.studio;
        const hues = studio ? hues_of(studio) : is_dark ? kNight : kDay;
        this.sun_direction = studio ? new Vector3(...studio.sun) : kDaySun;
        this.backdrop.set_hues(hues);
        this.ground.set_colours(grid, is_dark ? 0.3 : 0.13, is_dark ? 0.6 : 0.36, hues);
        this.sky.color.set(is_dark ? 0xdfe8f5 : 0xe9f0fa);
        this.sky.groundColor.set(is_dark ? 0x4a5058 : 0xcfcac2);
        this.sky.intensity = is_dark ? 1.3 : 2.4;
        this.sun.intensity = is_dark ? 2.0 : 2.6;
    }

    /** The ground lies below everything seen so far, or where the script's plane is; true while it is on its way. */
    update(scene: Scene, frame: FrameData, { bounds, size }: Framing, ease: number): boolean {
        if (this.ground.needs_fit(size)) this.ground.fit(size);
        const middle = bounds.getCenter(new Vector3());
        let is_there = true;
        const plane = scene.elements.find((each) => each.kind === "plane");
        if (scene !== this.coloured) this.ground.set_colour(plane ? new Color().setRGB(...plane.colour, SRGBColorSpace) : null);
        if (scene !== this.coloured) {
            this.coloured = scene;
            this.set_colours(this.theme.grid, this.theme.is_dark);
        }
        if (plane) {
            const f = frame.floats, p = offsets_of(frame).poses + 12 * plane.first;
            this.ground.put_on(new Matrix4().set(f[p], f[p + 1], f[p + 2], f[p + 3], f[p + 4], f[p + 5], f[p + 6],
                f[p + 7], f[p + 8], f[p + 9], f[p + 10], f[p + 11], 0, 0, 0, 1));
        } else {
            const wanted = bounds.min.y - 0.035 * size - 2 * scene.unit, away = wanted - this.height;
            is_there = Number.isNaN(this.height) || Math.abs(away) < 1e-3 * size;
            this.height = is_there ? wanted : this.height + ease * away;
            this.ground.put(this.height, middle.x, middle.z);
        }
        this.update_sun(middle, size);
        return !is_there;
    }

    private update_sun(middle: Vector3, size: number): void {
        this.sun.target.position.copy(middle);
        this.sun.position.copy(middle).add(this.sun_direction.clone().multiplyScalar(size * 2));
        const camera = this.sun.shadow.camera, half = size * 0.8;
        if (Math.abs(camera.right - half) < 0.05 * half) return;
        camera.left = camera.bottom = -half;
        camera.right = camera.top = half;
        camera.near = 0.1 * size;
        camera.far = 5 * size;
        camera.updateProjectionMatrix();
    }
}
