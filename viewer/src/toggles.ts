// What is drawn beside the things themselves.

import GUI, { type Controller } from "lil-gui";
import type { Store } from "./store";

export interface Shows {
    constraints: boolean;
    residuals: boolean;
    forces: boolean;
    labels: boolean;
    frames: boolean;
    twist: boolean;
    names: boolean;
    contacts: boolean;
    layers: boolean;
    grid: boolean;
    shadows: boolean;
}

const kKey = "sinew.shows";
const kDefault: Shows = {
    constraints: false, residuals: false, forces: false, labels: true, frames: false, twist: false, names: false,
    contacts: false, layers: false, grid: true, shadows: true,
};
const kTexts: Record<keyof Shows, [name: string, text: string]> = {
    constraints: ["Constraints", "Distances and paths that are held (K)"],
    residuals: ["Residuals", "How far each constraint is from being kept, as colour and number (R)"],
    forces: ["Forces", "Arrows: weight, springs, applied, drag, constraints, hand, contacts (V)"],
    labels: ["Labels", "Named points without mass"],
    frames: ["Frames", "Axes of every object and segment: x red, y green, z blue (X)"],
    twist: ["Twist", "A line along every strand, where its section's x points"],
    names: ["Names", "Names of objects (N)"],
    contacts: ["Contacts", "Where bodies touch, with normals (O)"],
    layers: ["Stack layers", "How many contacts each body is above fixed ground, as colour (Y)"],
    grid: ["Grid", "The ground's grid (G)"],
    shadows: ["Shadows", "Soft shadows"],
};

export class Toggles {
    readonly shows: Shows = { ...kDefault, ...read_kept() };
    private readonly controllers = new Map<keyof Shows, Controller>();

    constructor(container: HTMLElement, store: Store, private readonly changed: (shows: Shows) => void) {
        const gui = new GUI({ container, autoPlace: false, injectStyles: false, title: "Show" });
        gui.domElement.classList.add("two-columns");
        for (const key of Object.keys(kTexts) as (keyof Shows)[]) {
            const controller = gui.add(this.shows, key).name(kTexts[key][0]).onChange(() => this.apply());
            controller.domElement.title = kTexts[key][1];
            controller.domElement.querySelector("input")!.dataset.testid = `show-${key}`;
            this.controllers.set(key, controller);
        }
        this.offer(false, false);
        store.on("scene", (scene) => this.offer(scene.has_contacts === true, scene.has_layers === true));
    }

    toggle(key: keyof Shows): void {
        if (this.controllers.get(key)!._hidden) return; // nothing to show
        this.controllers.get(key)!.setValue(!this.shows[key]);
    }

    private offer(contacts: boolean, layers: boolean): void {
        this.controllers.get("contacts")!.show(contacts);
        this.controllers.get("layers")!.show(layers);
    }

    private apply(): void {
        localStorage.setItem(kKey, JSON.stringify(this.shows));
        this.changed(this.shows);
    }
}

function read_kept(): Partial<Shows> {
    try {
        return JSON.parse(localStorage.getItem(kKey) ?? "{}") as Partial<Shows>;
    } catch {
        return {};
    }
}
