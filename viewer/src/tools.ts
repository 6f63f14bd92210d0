// What a click on the picture does: a row of tools over it, and a line that says what to do next.

import { element } from "./dom";
import { icon, type IconName } from "./icons";
import type { Command, Scene, Vec } from "./protocol";
import type { Store } from "./store";

export type ToolName = "hand" | "pin" | "tie" | "thread" | "cut" | "loosen" | "measure";

/** A thing that was clicked, and where. */
export interface Spot {
    object: number;
    place: Vec;
}

interface Tool {
    name: ToolName;
    icon: IconName;
    text: string; // on the button
    title: string;
    hints: string[]; // before the first click, before the second
}

export const kTools: Tool[] = [
    { name: "hand", icon: "hand", text: "Pull", title: "Pull what moves, shift what is fixed (1)",
        hints: ["Drag what moves and a spring pulls it; drag what is fixed and it stands elsewhere."] },
    { name: "pin", icon: "pin", text: "Pin", title: "Hold a rope, a hair or a mass where it is (2)",
        hints: ["Click a rope, a hair or a mass where it shall be held from now on."] },
    { name: "tie", icon: "tie", text: "Tie", title: "Tie a rope or a hair to something (3)",
        hints: ["Click a rope or a hair where the knot shall be.", "Now click what it shall be tied to."] },
    { name: "thread", icon: "thread", text: "Thread", title: "Thread a body onto a rod, as a pearl (4)",
        hints: ["Click the body that shall be the pearl.", "Now click the rod where it shall sit."] },
    { name: "cut", icon: "cut", text: "Cut", title: "Cut a rod (5)", hints: ["Click a rod where it shall be cut."] },
    { name: "loosen", icon: "loosen", text: "Let go", title: "Let go a pin, a knot or a pearl (6)",
        hints: ["Click a rope, a hair or a pearl near the pin or knot that shall let it go."] },
    { name: "measure", icon: "measure", text: "Measure", title: "The distance between two places (7 or M)",
        hints: ["Click the first of two places.", "Now click the second: the distance stays with both."] },
];

export class Tools {
    active: ToolName = "hand";
    private first: Spot | null = null;
    private readonly buttons = new Map<ToolName, HTMLButtonElement>();
    private readonly hint = element("div", { class: "hint", "data-testid": "tool-hint", role: "status", "aria-live": "polite" });
    private readonly row = element("div", { class: "tools", role: "toolbar", "aria-label": "What a click does", "data-testid": "tools" });

    constructor(stage: HTMLElement, private readonly store: Store, private readonly send: (command: Command) => void,
                private readonly select: (object: number | null) => void, private readonly measure: (ends: Spot[]) => void) {
        for (const tool of kTools) {
            const button = element("button", {
                type: "button", class: "tool", title: tool.title, "data-testid": `tool-${tool.name}`, click: () => this.take(tool.name),
            }, icon(tool.icon), tool.text);
            this.buttons.set(tool.name, button);
            this.row.append(button);
        }
        stage.append(element("div", { class: "toolbox" }, this.row, this.hint));
        store.on("scene", (scene) => this.offer(scene));
        store.on("welcome", (welcome) => this.row.toggleAttribute("hidden", !welcome.can_simulate));
        this.draw();
    }

    get is_armed(): boolean {
        return this.active !== "hand";
    }

    take(name: ToolName): void {
        if (this.buttons.get(name)!.disabled) return;
        this.active = name;
        this.first = null;
        if (name !== "measure") this.measure([]);
        this.draw();
    }

    /** Back to the hand; false when that is what it was. */
    drop(): boolean {
        const was_armed = this.is_armed;
        this.take("hand");
        return was_armed;
    }

    /** A click on something with the tool in hand. */
    use(spot: Spot): void {
        if (this.active === "measure") this.take_measure(spot);
        else this.do_with(spot);
        this.draw();
    }

    private do_with(spot: Spot): void {
        const command = this.command_of(spot);
        if (command) this.send(command);
        this.select(spot.object);
    }

    private take_measure(spot: Spot): void {
        this.measure(this.first ? [this.first, spot] : []);
        this.first = this.first ? null : spot;
    }

    private command_of(spot: Spot): Command | null {
        switch (this.active) {
        case "pin":
        case "cut":
        case "loosen": return { type: this.active, ...spot };
        case "tie":
        case "thread": return this.join(this.active, spot);
        default: return null;
        }
    }

    /** The first click is kept, the second does it. */
    private join(type: "tie" | "thread", spot: Spot): Command | null {
        const { first } = this;
        this.first = first ? null : spot;
        if (!first) return null;
        if (type === "thread") return { type, bead: first.object, ...spot };
        return { type, ...first, other: spot.object, other_place: spot.place };
    }

    private offer(scene: Scene): void {
        const has = (test: (object: Scene["objects"][number]) => boolean) => scene.objects.some(test);
        const has_curves = has((each) => each.curve != null), has_rods = has((each) => each.curve === "rod");
        const can: Record<ToolName, boolean> = {
            hand: true, pin: has((each) => each.is_dynamic), tie: has_curves, thread: has_rods && has((each) => each.is_body === true),
            cut: has_rods, loosen: has((each) => each.is_dynamic), measure: true,
        };
        for (const [name, button] of this.buttons) button.disabled = !can[name];
        if (this.buttons.get(this.active)!.disabled) this.drop();
        this.first = null;
        this.draw();
    }

    private draw(): void {
        const tool = kTools.find((each) => each.name === this.active)!, name = this.first && this.store.scene?.objects[this.first.object]?.name;
        for (const [each, button] of this.buttons) button.setAttribute("aria-pressed", `${each === this.active}`);
        this.hint.textContent = (name ? `${name} … ` : "") + tool.hints[this.first ? 1 : 0] + (this.is_armed ? " Esc: back to pulling." : "");
        this.hint.hidden = !this.is_armed;
        document.getElementById("picture")?.toggleAttribute("data-armed", this.is_armed);
    }
}
