// The camera: the script's own, or one that keeps in view whatever has been seen to move, until a
// person takes it.

import { Box3, PerspectiveCamera, Spherical, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { offsets_of, type FrameData } from "../decode";
import type { Scene, Vec } from "../protocol";

const kFov = 34; // [deg] vertical
const kSample = 4096; // points looked at per frame
const kMargin = 1.12;
const kFrame = 16 / 9; // width to height of what the script's camera frames
const kFarthest = 2.5; // of the camera's distance: what is farther from its target is lost
const kBackwards = 1.04; // in one frame
const kTurn = Math.PI / 24; // by one key

export class Framing {
    readonly camera = new PerspectiveCamera(kFov, 1, 0.01, 1000);
    readonly controls: OrbitControls;
    readonly bounds = new Box3();
    is_held = false; // while the mouse pulls something, the view must not slip away under it
    private is_automatic = true;
    private was_pulled = false; // by a hand, since the scene began
    private written = ""; // the script's camera, as it came
    private is_scripted = false; // it is where the script has it, also while that moves
    private script_fov = 0; // [rad] vertical, in a picture of that shape; 0: the camera is not the script's
    private followed: Vector3 | null = null; // where what is followed was last
    private readonly goal = { position: new Vector3(0, 0, 5), target: new Vector3() };

    constructor(canvas: HTMLElement, private readonly invalidate: () => void) {
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.addEventListener("start", () => (this.is_automatic = this.is_scripted = this.was_pulled = false));
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
        this.was_pulled = this.was_pulled && follows;
        if (follows && is_same) {
            if (this.is_automatic) this.aim();
        } else if (scene.camera) this.use_script_camera(scene);
        else this.reset();
    }

    use_script_camera(scene: Scene): void {
        if (!scene.camera) return;
        this.is_automatic = false;
        this.is_scripted = true;
        this.script_fov = scene.camera.fov;
        this.camera.position.set(...scene.camera.position);
        this.controls.target.set(...scene.camera.target);
        this.apply();
        this.fit_frame();
    }

    /** Automatic again, at once. */
    reset(): void {
        this.is_automatic = true;
        this.is_scripted = false;
        this.script_fov = 0;
        this.camera.fov = kFov;
        this.aim();
        this.camera.position.copy(this.goal.position);
        this.controls.target.copy(this.goal.target);
        this.apply();
    }

    resize(aspect: number): void {
        this.camera.aspect = aspect;
        this.fit_frame();
        this.camera.updateProjectionMatrix();
        if (this.is_automatic) this.reset();
    }

    /** All that the script frames is seen, whatever the shape of the window: a narrow one sees more above and below,
        as much as the things in the frame need. */
    private fit_frame(): void {
        if (this.script_fov <= 0) return;
        const high = Math.tan(this.script_fov / 2), wide = Math.min(high * kFrame, kMargin * this.reach());
        const fov = (Math.atan(Math.max(high, wide / this.camera.aspect)) * 360) / Math.PI;
        if (Math.abs(fov - this.camera.fov) < 1e-3) return;
        this.camera.fov = fov;
        this.camera.updateProjectionMatrix();
    }

    /** How far aside things have been seen, as the slope of the widest ray from the camera. */
    private reach(): number {
        const { min, max } = this.bounds, at = new Vector3();
        this.camera.updateMatrixWorld();
        let reach = 0;
        for (let i = 0; i < 8; ++i) {
            at.set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).applyMatrix4(this.camera.matrixWorldInverse);
            reach = Math.max(reach, at.z < 0 ? Math.abs(at.x) / -at.z : Infinity); // what is beside the camera needs the whole frame
        }
        return reach;
    }

    /** By keys: turns to the right and up, by steps of some degrees. */
    turn(right: number, up: number): void {
        const { target } = this.controls, arm = new Spherical().setFromVector3(this.camera.position.clone().sub(target));
        arm.theta += right * kTurn;
        arm.phi = Math.min(Math.PI - 0.02, Math.max(0.02, arm.phi - up * kTurn));
        this.take(target.clone().add(new Vector3().setFromSpherical(arm)), target);
    }

    zoom(factor: number): void {
        const { target } = this.controls;
        this.take(this.camera.position.clone().sub(target).multiplyScalar(factor).add(target), target);
    }

    shift(right: number, up: number): void {
        const step = 0.05 * this.camera.position.distanceTo(this.controls.target);
        const by = new Vector3(right * step, up * step, 0).applyQuaternion(this.camera.quaternion);
        this.take(this.camera.position.clone().add(by), this.controls.target.clone().add(by));
    }

    /** From the front, from above, from the side: everything is seen. */
    look_from(direction: Vec): void {
        this.is_automatic = false;
        this.script_fov = 0;
        this.camera.fov = kFov;
        this.aim(new Vector3(...direction).normalize());
        this.take(this.goal.position, this.goal.target);
    }

    /** The camera goes along with a place; null: it stays. */
    follow(place: Vec | null): void {
        const at = place && new Vector3(...place), from = this.followed;
        this.followed = at;
        if (!at) return;
        const by = at.clone().sub(from ?? this.controls.target);
        this.take(this.camera.position.clone().add(by), this.controls.target.clone().add(by));
    }

    private take(position: Vector3, target: Vector3): void {
        this.is_automatic = this.is_scripted = false;
        this.camera.position.copy(position);
        this.controls.target.copy(target);
        this.apply();
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
        else if (this.size > old_size) this.fit_frame();
        if (frame.hands > 0) this.was_pulled = true;
        if (this.is_scripted && frame.cameras > 0) this.ride(frame);
        if (this.was_pulled && this.script_fov > 0 && !this.is_held) this.keep_in_view(frame);
    }

    /** The script's camera moves: as it is in this frame. */
    private ride(frame: FrameData): void {
        const at = offsets_of(frame).camera;
        this.camera.position.fromArray(frame.floats, at);
        this.controls.target.fromArray(frame.floats, at + 3);
        this.apply();
    }

    /** What a hand has pulled out of the script's picture is seen again: the camera goes back a little, frame by frame. */
    private keep_in_view(frame: FrameData): void {
        const f = frame.floats, at = new Vector3(), { poses } = offsets_of(frame), { target } = this.controls;
        const far = kFarthest * this.camera.position.distanceTo(target);
        let out = 0;
        const look = (x: number, y: number, z: number) => {
            if (at.set(x, y, z).distanceTo(target) > far) return; // what falls for ever is not followed
            at.project(this.camera);
            if (at.z < 1) out = Math.max(out, Math.abs(at.x), Math.abs(at.y));
        };
        this.camera.updateMatrixWorld();
        for (let i = 0; i < frame.points; i += Math.max(1, Math.floor(frame.points / kSample))) look(f[3 * i], f[3 * i + 1], f[3 * i + 2]);
        for (let i = 0, p = poses; i < Math.min(frame.poses, kSample); ++i, p += 12) look(f[p + 3], f[p + 7], f[p + 11]);
        if (out <= 1) return;
        this.camera.position.sub(target).multiplyScalar(Math.min(out, kBackwards)).add(target);
        this.set_depths();
        this.invalidate();
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
    private aim(from?: Vector3): void {
        const size = this.bounds.getSize(new Vector3()), middle = this.bounds.getCenter(new Vector3());
        const depth = size.z / Math.max(size.x, size.y, 1e-9);
        const direction = from ?? new Vector3(0.22 + 0.3 * Math.min(1, depth), 0.2 + 0.15 * Math.min(1, depth), 1).normalize();
        const right = new Vector3(0, 1, 0).cross(direction)
            .addScaledVector(new Vector3(1, 0, 0), Math.abs(direction.y) > 0.999 ? 1 : 0).normalize(), up = direction.clone().cross(right);
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
        this.camera.far = distance * 60;
        this.camera.updateProjectionMatrix();
    }
}
