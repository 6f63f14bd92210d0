// Which panes are open; kept for the next visit.

import { by_id } from "./dom";

const kKey = "sinew.panes";
const kIds = { editor: "editor-pane", plots: "plots", panel: "panel" } as const;
export type Pane = keyof typeof kIds;

export class Panes {
    private readonly open: Record<Pane, boolean> = { editor: true, plots: false, panel: true };

    constructor(private readonly changed: () => void) {
        try {
            Object.assign(this.open, JSON.parse(localStorage.getItem(kKey) ?? "{}"));
        } catch { /* what cannot be read is as if it were not there */ }
        this.apply();
    }

    toggle(pane: Pane): void {
        this.open[pane] = !this.open[pane];
        localStorage.setItem(kKey, JSON.stringify(this.open));
        this.apply();
    }

    show(pane: Pane): void {
        if (!this.open[pane]) this.toggle(pane);
    }

    private apply(): void {
        for (const [pane, id] of Object.entries(kIds)) by_id(id).hidden = !this.open[pane as Pane];
        this.changed();
    }
}
