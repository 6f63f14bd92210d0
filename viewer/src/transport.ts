// The bar at the foot: play, step, restart, loop, speed, the timeline, and how things stand.

import { by_id, element } from "./dom";
import { icon, type IconName } from "./icons";
import type { Command, Status } from "./protocol";
import type { Store } from "./store";
import { Timeline } from "./timeline";

const kSpeeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];

export function icon_button(name: IconName, label: string, testid: string, click: () => void): HTMLButtonElement {
    return element("button", {
        class: "icon-button", type: "button", title: label, "aria-label": label.replace(/ \(.*\)$/, ""),
        "data-testid": testid, click,
    }, icon(name));
}

export class Transport {
    private readonly play = icon_button("play", "Play (Space)", "play", () => this.toggle_play());
    private readonly loop = icon_button("loop", "Loop (L)", "loop", () => this.toggle_loop());
    private readonly speed = element("select", {
        title: "Speed ([ and ])", "aria-label": "Speed", "data-testid": "speed",
        change: () => this.send({ type: "speed", value: Number(this.speed.value) }),
    });
    private readonly frame = element("output", { "data-testid": "frame" }, "0");
    private readonly count = element("span", { class: "faint" }, "");
    private readonly time = element("output", { "data-testid": "time" }, "0.00 s");
    private readonly state = element("div", { class: "state", "data-testid": "state", role: "status" });

    constructor(private readonly store: Store, private readonly send: (command: Command) => void) {
        for (const speed of kSpeeds) this.speed.append(element("option", { value: speed }, `${speed} ×`));
        this.speed.value = "1";
        const time_of = (frame: number) => (store.scene ? store.scene.start + frame / store.scene.frame_rate : 0);
        const timeline = new Timeline(store, (to) => send({ type: "seek", frame: to }), time_of);
        by_id("transport").append(
            element("div", { class: "buttons" },
                icon_button("restart", "Restart: back to the start, the mouse's doings forgotten (Backspace)", "restart",
                    () => send({ type: "restart" })),
                icon_button("back", "One frame back (←)", "step-back", () => this.step(-1)),
                this.play,
                icon_button("forward", "One frame on (→)", "step-forward", () => this.step(1)),
                this.loop, this.speed),
            timeline.canvas,
            element("div", { class: "readout" }, element("div", {}, this.time), element("div", { class: "frames" }, this.frame, this.count)),
            this.state);
        store.on("status", (status) => this.update(status));
        store.on("link", ({ state }) => { if (state === "waiting") this.show_state("waiting", "not connected"); });
    }

    toggle_play(): void {
        this.send({ type: this.store.status?.is_playing ? "pause" : "play" });
    }

    toggle_loop(): void {
        this.send({ type: "loop", on: !this.store.status?.loop });
    }

    step(by: number): void {
        this.send({ type: "step", by });
    }

    change_speed(direction: 1 | -1): void {
        const now = this.store.status?.speed ?? 1;
        const next = direction > 0 ? kSpeeds.find((s) => s > now * 1.001) : [...kSpeeds].reverse().find((s) => s < now * 0.999);
        if (next !== undefined) this.send({ type: "speed", value: next });
    }

    private update(status: Status): void {
        const label = status.is_playing ? "Pause" : "Play";
        if (this.play.getAttribute("aria-label") !== label) {
            this.play.replaceChildren(icon(status.is_playing ? "pause" : "play"));
            this.play.setAttribute("aria-label", label);
            this.play.title = `${label} (Space)`;
        }
        this.loop.setAttribute("aria-pressed", String(status.loop));
        this.update_speed(status.speed);
        this.frame.value = String(status.frame);
        this.count.textContent = ` / ${Math.max(0, status.frame_count - 1)}`;
        this.time.value = `${status.time.toFixed(2)} s`;
        if (status.fault) this.show_state("fault", status.fault);
        else this.show_state(...state_of(status));
    }

    private update_speed(speed: number): void {
        if (Number(this.speed.value) === speed || document.activeElement === this.speed) return;
        if (!kSpeeds.includes(speed) && ![...this.speed.options].some((each) => Number(each.value) === speed))
            this.speed.append(element("option", { value: speed }, `${speed} ×`));
        this.speed.value = String(speed);
    }

    private show_state(kind: string, text: string): void {
        this.state.dataset.kind = kind;
        if (this.state.textContent !== text) this.state.textContent = this.state.title = text;
    }
}

/** What the program does now, in a few words. */
function state_of(status: Status): [kind: string, text: string] {
    const seconds = status.busy_seconds ?? 0, since = seconds > 0 ? `, ${seconds} s` : "";
    if (status.is_opening) return ["computing", `reading the script${since}`];
    if (status.is_writing) return ["computing", `writing the recording${since}`];
    if (status.is_computing && seconds > 0) return ["computing", `computing frame ${status.busy_frame}${since}${status.is_waiting ? "; your change waits" : ""}`];
    if (status.is_computing) return ["computing", `computing · ${status.steps_ms.toFixed(status.steps_ms < 10 ? 1 : 0)} ms/frame`];
    return ["ready", status.valid >= status.frame_count ? "all frames computed" : "ready"];
}
