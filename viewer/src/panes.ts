// Which panes are open; kept for the next visit. Where there is little room they are drawers over the
// picture: closed at first, and only one at a time.

import { by_id } from "./dom";

const kKey = "sinew.panes";
const kIds = { editor: "editor-pane", plots: "plots", panel: "panel" } as const;
export type Pane = keyof typeof kIds;
type Open = Record<Pane, boolean>;

const kWide: Open = { editor: true, plots: false, panel: true };
const kNarrow: Open = { editor: false, plots: false, panel: false };

export class Panes {
    private readonly narrow = window.matchMedia("(max-width: 1099px)");
    private open: Open = kWide;

    constructor(private readonly changed: () => void) {
        this.narrow.addEventListener("change", () => this.load());
        this.load();
    }

    get are_drawers(): boolean {
        return this.narrow.matches;
    }

    toggle(pane: Pane): void {
        const is_open = !this.open[pane];
        if (this.are_drawers) this.open = { ...kNarrow };
        this.open[pane] = is_open;
        if (!this.are_drawers) localStorage.setItem(kKey, JSON.stringify(this.open));
        this.apply();
    }

    show(pane: Pane): void {
        if (!this.open[pane]) this.toggle(pane);
    }

    /** Gives the picture its room back; false when no drawer was open. */
    close_drawers(): boolean {
        const was_open = this.are_drawers && Object.values(this.open).some((each) => each);
        if (was_open) {
            this.open = { ...kNarrow };
            this.apply();
        }
        return was_open;
    }

    /** The buttons of the head, once they are there. */
    mark_buttons(): void {
        for (const pane of Object.keys(kIds) as Pane[])
            document.querySelector(`[data-testid="toggle-${pane}"]`)?.setAttribute("aria-pressed", String(this.open[pane]));
    }

    private load(): void {
        this.open = { ...(this.are_drawers ? kNarrow : kWide) };
        try {
            if (!this.are_drawers) Object.assign(this.open, JSON.parse(localStorage.getItem(kKey) ?? "{}"));
        } catch { /* what cannot be read is as if it were not there */ }
        this.apply();
    }

    private apply(): void {
        for (const [pane, id] of Object.entries(kIds)) by_id(id).hidden = !this.open[pane as Pane];
        this.mark_buttons();
        document.body.classList.toggle("has-drawer", this.are_drawers && Object.values(this.open).some((each) => each));
        this.changed();
    }
}
