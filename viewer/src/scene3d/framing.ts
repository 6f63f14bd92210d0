// The camera: the script's own, or one that keeps in view whatever has been seen to move, until a
// person takes it.

import { Box3, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { offsets_of, type FrameData } from "../decode";
import type { Scene } from "../protocol";

const kFov = 34; // [deg] vertical
const kSample = 4096; // points looked at per frame
const kMargin = 1.12;

export class Framing {
    readonly camera = new PerspectiveCamera(kFov, 1, 0.01, 1000);
    readonly controls: OrbitControls;
    readonly bounds = new Box3();
    is_held = false; // while the mouse pulls something, the view must not slip away under it
    private is_automatic = true;
    private written = ""; // the script's camera, as it came
    private readonly goal = { position: new Vector3(0, 0, 5), target: new Vector3() };

    constructor(canvas: HTMLElement, private readonly invalidate: () => void) {
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.addEventListener("start", () => (this.is_automatic = false));
        this.controls.addEventListener("change", invalidate);
    }

    get size(): number {
        return Math.max(1e-6, this.bounds.getSize(new Vector3()).length());
    }

    /** Another scene; one that follows on another keeps its camera, unless the script says otherwise. */
    start(scene: Scene, follows: boolean): void {
        this.bounds.set(new Vector3(...scene.bounds[0]), new Vector3(...scene.bounds[1]));
        const written = JSON.stringify(scene.camera), is_same = written === this.written;
        this.written = written;
        if (follows && is_same) {
            if (this.is_automatic) this.aim();
        } else if (scene.camera) this.use_script_camera(scene);
        else this.reset();
    }

    use_script_camera(scene: Scene): void {
        if (!scene.camera) return;
        this.is_automatic = false;
        this.camera.fov = (scene.camera.fov * 180) / Math.PI;
        this.camera.position.set(...scene.camera.position);
        this.controls.target.set(...scene.camera.target);
        this.apply();
    }

    /** Automatic again, at once. */
    reset(): void {
        this.is_automatic = true;
        this.camera.fov = kFov;
        this.aim();
        this.camera.position.copy(this.goal.position);
        this.controls.target.copy(this.goal.target);
        this.apply();
    }

    resize(aspect: number): void {
        this.camera.aspect = aspect;
        this.camera.updateProjectionMatrix();
        if (this.is_automatic) this.reset();
    }

    /** Takes in what the frame shows. */
    include(frame: FrameData): void {
        const f = frame.floats, at = new Vector3();
        const step = 3 * Math.max(1, Math.floor(frame.points / kSample));
        const old_size = this.size;
        for (let i = 0; i + 2 < frame.points * 3; i += step) this.bounds.expandByPoint(at.set(f[i], f[i + 1], f[i + 2]));
        const poses = offsets_of(frame).poses;
        for (let i = 0; i < Math.min(frame.poses, kSample); ++i) {
            const p = poses + 12 * i;
            this.bounds.expandByPoint(at.set(f[p + 3], f[p + 7], f[p + 11]));
        }
        if (this.is_automatic && this.size > old_size) this.aim();
    }

    /** Goes a share of the way that is left; true while there is more to come. */
    update(share: number): boolean {
        const away = this.camera.position.distanceTo(this.goal.position);
        const is_moving = this.is_automatic && !this.is_held && away > 1e-3 * this.size;
        if (is_moving) {
            this.camera.position.lerp(this.goal.position, share);
            this.controls.target.lerp(this.goal.target, share);
            this.set_depths();
        }
        return this.controls.update() || is_moving;
    }

    /** Flat scenes are looked at nearly from the front, deep ones from the corner. */
    private aim(): void {
        const size = this.bounds.getSize(new Vector3()), middle = this.bounds.getCenter(new Vector3());
        const depth = size.z / Math.max(size.x, size.y, 1e-9);
        const direction = new Vector3(0.22 + 0.3 * Math.min(1, depth), 0.2 + 0.15 * Math.min(1, depth), 1).normalize();
        const right = new Vector3(0, 1, 0).cross(direction).normalize(), up = direction.clone().cross(right);
        const slope_y = Math.tan((kFov * Math.PI) / 360) / kMargin, slope_x = slope_y * this.camera.aspect;
        let distance = 0.2 * this.size;
        for (let i = 0; i < 8; ++i) {
            const corner = new Vector3(
                i & 1 ? size.x : -size.x, i & 2 ? size.y : -size.y, i & 4 ? size.z : -size.z).multiplyScalar(0.5);
            const toward = corner.dot(direction);
            distance = Math.max(distance, toward + Math.abs(corner.dot(right)) / slope_x,
                toward + Math.abs(corner.dot(up)) / slope_y);
        }
        this.goal.target.copy(middle);
        this.goal.position.copy(middle).addScaledVector(direction, distance);
        this.invalidate();
    }

    private apply(): void {
        this.set_depths();
        this.controls.update();
        this.invalidate();
    }

    private set_depths(): void {
        const distance = this.camera.position.distanceTo(this.controls.target) + this.size;
        this.camera.near = distance / 500;
        this.camera.far = distance * 12;
        this.camera.updateProjectionMatrix();
    }
}
