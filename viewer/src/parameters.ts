// Sliders for the script's parameters.

import GUI, { type Controller } from "lil-gui";
import { element } from "./dom";
import type { Parameter } from "./protocol";
import type { Store } from "./store";

const kManyCounts = 20; // a wider range of whole numbers is taken for a count

type NumberController = Controller & { step(step: number, is_explicit: boolean): Controller };

export class Parameters {
    private gui: GUI | null = null;
    private signature = "";
    private readonly values: Record<string, number> = {};
    private readonly controllers = new Map<string, Controller>();
    private readonly waiting = new Map<string, number>();
    private touched = 0; // when a person last moved a slider

    constructor(private readonly container: HTMLElement, store: Store,
                private readonly send: (name: string, value: number) => void) {
        store.on("scene", (scene) => this.update(scene.parameters));
    }

    private update(parameters: Parameter[]): void {
        const signature = JSON.stringify(parameters.map(({ value, ...rest }) => (void value, rest)));
        if (signature !== this.signature || !this.gui) this.build(parameters, signature);
        // What comes back while a slider moves is already old.
        if (performance.now() - this.touched < 400) return;
        for (const { name, value } of parameters) {
            if (this.values[name] === value) continue;
            widen(this.controllers.get(name)!, value);
            this.values[name] = value;
            this.controllers.get(name)!.updateDisplay();
        }
    }

    private build(parameters: Parameter[], signature: string): void {
        this.gui?.destroy();
        this.signature = signature;
        this.controllers.clear();
        this.gui = new GUI({ container: this.container, autoPlace: false, injectStyles: false, title: "Parameters" });
        this.gui.domElement.dataset.testid = "parameters";
        for (const parameter of parameters) this.add(this.gui, parameter);
        if (parameters.length === 0)
            this.gui.$children.append(element("p", { class: "empty" }, "The script has none. ",
                element("code", {}, "param length = 1 [0..5];"), " makes one."));
    }

    private add(gui: GUI, parameter: Parameter): void {
        const { name, value, unit, text } = parameter, [low, high] = range_of(parameter);
        this.values[name] = value;
        const is_count = [value, low, high].every(Number.isInteger) && high - low >= kManyCounts && unit === "";
        const controller = (gui.add(this.values, name, low, high) as NumberController)
            .step(is_count ? 1 : nice_step(high - low), is_count) // a count is whole when typed, too
            .name(unit ? `${name} [${unit}]` : name)
            .onChange((next: number) => this.change(name, next));
        controller.domElement.title = text;
        const input = controller.domElement.querySelector("input")!;
        input.dataset.testid = `parameter-${name}`;
        if (parameter.low === null || parameter.high === null)
            controller.domElement.addEventListener("input", () => widen(controller, parseFloat(input.value)), true);
        this.controllers.set(name, controller);
    }

    /** One message per drawn frame, however fast the slider moves. */
    private change(name: string, value: number): void {
        this.touched = performance.now();
        if (this.waiting.size === 0) requestAnimationFrame(() => this.flush());
        this.waiting.set(name, value);
    }

    /** Sends what waits: no other command may overtake a slider. */
    flush(): void {
        const waiting = [...this.waiting];
        this.waiting.clear();
        for (const [name, value] of waiting) this.send(name, value);
    }
}

/** The script's range, or one in which the value has room on both sides. */
function range_of({ value, low, high }: Parameter): [number, number] {
    const size = Math.abs(value) || 1;
    const begin = low ?? (value < 0 ? value - size : Math.min(0, value));
    const end = high ?? (value < 0 ? 0 : value + size);
    return [begin, Math.max(end, begin + 1e-9)];
}

function nice_step(span: number): number {
    return 10 ** Math.floor(Math.log10(span / 200));
}

/** A guessed range gives way to a typed number. */
function widen(controller: Controller, value: number): void {
    const limits = controller as unknown as { _min: number; _max: number };
    if (value < limits._min) controller.min(value);
    if (value > limits._max) controller.max(value);
}
