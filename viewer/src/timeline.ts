// The line of all frames: computed, left from before a change, not computed yet; and the playhead.

import { element } from "./dom";
import type { Status } from "./protocol";
import type { Store } from "./store";
import { style_of_page } from "./theme";

const kHeight = 34; // [px]
const kBar = { top: 11, height: 8 };
const kMargin = 6; // [px] on both sides, so that the playhead is whole at the ends

export class Timeline {
    readonly canvas = element("canvas", {
        class: "timeline", "data-testid": "timeline", tabindex: 0, role: "slider", "aria-label": "Frame", "aria-valuemin": 0,
    });
    private status: Status | null = null;
    private wanted: number | null = null; // where the pointer is while it is down
    private is_scheduled = false;

    constructor(store: Store, private readonly seek: (frame: number) => void,
                private readonly time_of: (frame: number) => number) {
        store.on("status", (status) => this.update(status));
        store.on("theme", () => this.schedule());
        new ResizeObserver(() => this.schedule()).observe(this.canvas);
        this.canvas.addEventListener("pointerdown", (event) => this.press(event));
        this.canvas.addEventListener("pointermove", (event) => this.move(event));
        this.canvas.addEventListener("pointerup", () => (this.wanted = null));
        this.canvas.addEventListener("pointercancel", () => (this.wanted = null));
    }

    private update(status: Status): void {
        this.status = status;
        this.canvas.setAttribute("aria-valuemax", String(Math.max(0, status.frame_count - 1)));
        this.canvas.setAttribute("aria-valuenow", String(status.frame));
        this.canvas.setAttribute("aria-valuetext", `frame ${status.frame}, ${status.time.toFixed(2)} seconds`);
        this.schedule();
    }

    private press(event: PointerEvent): void {
        this.canvas.setPointerCapture(event.pointerId);
        this.wanted = -1;
        this.move(event);
    }

    private move(event: PointerEvent): void {
        if (this.wanted === null || !this.status) return;
        const box = this.canvas.getBoundingClientRect();
        const last = Math.max(1, this.status.frame_count - 1);
        const frame = Math.round(Math.min(1, Math.max(0, (event.clientX - box.left - kMargin) / (box.width - 2 * kMargin))) * last);
        if (frame === this.wanted) return;
        this.wanted = frame;
        this.seek(frame);
        this.schedule();
    }

    private schedule(): void {
        if (this.is_scheduled) return;
        this.is_scheduled = true;
        requestAnimationFrame(() => {
            this.is_scheduled = false;
            this.draw();
        });
    }

    private draw(): void {
        const ratio = window.devicePixelRatio, width = this.canvas.clientWidth;
        if (this.canvas.width !== Math.round(width * ratio)) this.canvas.width = Math.round(width * ratio);
        if (this.canvas.height !== Math.round(kHeight * ratio)) this.canvas.height = Math.round(kHeight * ratio);
        const context = this.canvas.getContext("2d")!;
        context.setTransform(ratio, 0, 0, ratio, kMargin * ratio, 0);
        context.clearRect(-kMargin, 0, width, kHeight);
        if (this.status) this.draw_status(context, width - 2 * kMargin, this.status);
    }

    private draw_status(context: CanvasRenderingContext2D, width: number, status: Status): void {
        const style = style_of_page(), colour = (name: string) => style.getPropertyValue(name).trim();
        const last = Math.max(1, status.frame_count - 1), x_of = (frame: number) => (frame / last) * width;
        const bar = (from: number, to: number, fill: string) => {
            if (to <= from) return;
            context.fillStyle = fill;
            context.beginPath();
            context.roundRect(x_of(from), kBar.top, Math.max(1, x_of(to) - x_of(from)), kBar.height, 3);
            context.fill();
        };
        bar(0, last, colour("--timeline-empty"));
        bar(status.valid, Math.min(status.stale, last), colour("--timeline-stale"));
        bar(0, Math.min(status.valid, last), colour("--timeline-valid"));
        this.draw_seconds(context, width, last, colour("--text-faint"));
        const x = x_of(Math.min(last, this.wanted !== null && this.wanted >= 0 ? this.wanted : status.frame));
        context.fillStyle = colour("--accent");
        context.beginPath();
        context.roundRect(x - 1.5, 3, 3, 24, 1.5);
        context.fill();
    }

    /** Ticks at round times, as many as there is room for. */
    private draw_seconds(context: CanvasRenderingContext2D, width: number, last: number, colour: string): void {
        const begin = this.time_of(0), span = this.time_of(last) - begin;
        if (!(span > 0)) return;
        const rough = span / Math.max(2, width / 70), power = 10 ** Math.floor(Math.log10(rough)), ratio = rough / power;
        const step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
        context.fillStyle = colour;
        context.font = "10px system-ui, sans-serif";
        for (let t = Math.ceil(begin / step) * step; t <= begin + span * 0.985; t += step) {
            const x = ((t - begin) / span) * width;
            context.fillRect(x, kBar.top + kBar.height + 2, 1, 3);
            context.fillText(`${Number(t.toPrecision(6))} s`, x + 3, kHeight - 3);
        }
    }
}
