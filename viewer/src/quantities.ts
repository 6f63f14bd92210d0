// What is plotted over all frames beside the program's own series: numbers of objects, probes of the
// script, and what constraints bear. The program is told which, and sends their rows.

import type { Command, Quantity, Scene, Watched } from "./protocol";

/** One number of a quantity, as people choose it. */
export interface Choice {
    kind: Quantity["kind"];
    name: string; // of the object, probe or constraint; "" is whatever is selected
    column: number; // of its rows
    label: string;
    unit: string;
}

export const kOfObjects = ([["height", "m", 1], ["x", "m", 0], ["z", "m", 2], ["speed", "m/s", 3]] as const)
    .map(([label, unit, column]): Choice => ({ kind: "object", name: "", column, label, unit }));

export const choices_of_loads = (scene: Scene | null): Choice[] => (scene?.loads ?? []).flatMap((name): Choice[] => [
    { kind: "load", name, column: 0, label: `force of ${name}`, unit: "N" }, { kind: "load", name, column: 1, label: `torque of ${name}`, unit: "N m" }]);

/** The number that the scene has for it; null: there is no such thing now. */
export function quantity_of({ kind, name }: Choice, scene: Scene | null, selected: number | null): Quantity | null {
    const names = kind === "object" ? scene?.objects.map((each) => each.name) : kind === "probe" ? scene?.probes : scene?.loads;
    const number = kind === "object" && name === "" ? selected ?? -1 : names?.indexOf(name) ?? -1;
    return number < 0 ? null : { kind, number };
}

const key_of = ({ kind, number }: Quantity) => `${kind} ${number}`;

export class Watches {
    private readonly rows = new Map<string, (number | null)[][]>();

    constructor(private readonly send: (command: Command) => void) {}

    /** Says what is plotted, if that is something else than before. */
    want(list: Quantity[]): void {
        const wanted = new Map(list.map((each) => [key_of(each), each]));
        if (wanted.size === this.rows.size && [...wanted.keys()].every((each) => this.rows.has(each))) return;
        for (const known of this.rows.keys()) if (!wanted.has(known)) this.rows.delete(known);
        for (const each of wanted.keys()) if (!this.rows.has(each)) this.rows.set(each, []);
        this.send({ type: "watch", list: [...wanted.values()] });
    }

    add({ first, rows, ...what }: Watched): void {
        const known = this.rows.get(key_of(what));
        if (!known) return;
        known.length = Math.min(known.length, first);
        while (known.length < first) known.push([]);
        known.push(...rows);
    }

    column(what: Quantity | null, column: number, count: number): (number | null)[] {
        const rows = what && this.rows.get(key_of(what));
        return Array.from({ length: count }, (_, i) => rows?.[i]?.[column] ?? null);
    }

    forget(): void {
        this.rows.clear();
    }
}
