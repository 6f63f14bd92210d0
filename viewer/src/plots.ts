// Energies, constraint error, steps and milliseconds over time. The playhead is drawn in each; a
// click goes there.

import uPlot from "uplot";
import { by_id, element } from "./dom";
import type { Probe, Series, Status } from "./protocol";
import type { Store } from "./store";
import { style_of_page } from "./theme";

interface Chart {
    title: string;
    unit: string;
    lines: { column: string; label: string; colour: string }[];
    is_logarithmic?: boolean;
}

const kCharts: Chart[] = [
    {
        title: "Energy", unit: "J",
        lines: [
            { column: "kinetic", label: "kinetic", colour: "--plot-a" },
            { column: "potential", label: "potential", colour: "--plot-b" },
            { column: "total", label: "total", colour: "--plot-c" },
        ],
    },
    { title: "Constraint error", unit: "m", lines: [{ column: "residual", label: "residual", colour: "--plot-b" }], is_logarithmic: true },
    { title: "Steps per frame", unit: "all parts", lines: [{ column: "steps", label: "steps", colour: "--plot-a" }] },
    { title: "Time per frame", unit: "ms", lines: [{ column: "ms", label: "ms", colour: "--plot-d" }] },
];
const kProbe: Chart = { title: "", unit: "m", lines: [{ column: "probe", label: "probe", colour: "--plot-c" }] };
const kQuantities = [["height", "m", 1], ["x", "m", 0], ["z", "m", 2], ["speed", "m/s", 3]] as const; // column of a probe's row
const kRedraw = 250; // [ms]

export class Plots {
    private readonly columns = new Map<string, (number | null)[]>();
    private readonly charts: { plot: uPlot; chart: Chart }[] = [];
    private readonly pane = by_id("plots");
    private playhead = 0;
    private timer = 0;

    private readonly probe: (number | null)[][] = []; // of the selected object, by frame
    private probed: number | null = null;
    private quantity = 0;
    private readonly quantities = element("select", {
        "aria-label": "Quantity of the selected object", "data-testid": "quantity", change: () => this.choose(Number(this.quantities.value)),
    }, ...kQuantities.map(([name, unit], i) => element("option", { value: i }, `${name} [${unit}]`)));

    constructor(private readonly store: Store, private readonly seek: (frame: number) => void) {
        store.on("status", (status) => this.follow(status));
        store.on("theme", () => this.rebuild());
        new ResizeObserver(() => this.resize()).observe(this.pane);
    }

    /** Rows from `first` on replace what was there. */
    add({ first, columns, rows }: Series): void {
        const all = [...columns, "total"];
        const kinetic = columns.indexOf("kinetic"), potential = columns.indexOf("potential");
        all.forEach((name, i) => {
            const column = this.columns.get(name) ?? [];
            this.columns.set(name, column);
            column.length = Math.min(column.length, first);
            while (column.length < first) column.push(null);
            for (const row of rows)
                column.push(i < columns.length ? row[i] : (row[kinetic] ?? 0) + (row[potential] ?? 0));
        });
        this.schedule();
    }

    /** Another script: nothing of before counts. */
    forget(): void {
        this.columns.clear();
        this.forget_probe();
    }

    forget_probe(): void {
        this.probe.length = 0;
        this.probed = null;
        this.schedule();
    }

    /** Numbers of the selected object, from frame `first` on. */
    add_probe({ object, first, rows }: Probe): void {
        if (object !== this.store.selection) return;
        if (object !== this.probed) this.probe.length = 0;
        this.probed = object;
        this.probe.length = Math.min(this.probe.length, first);
        while (this.probe.length < first) this.probe.push([]);
        this.probe.push(...rows);
        this.schedule();
    }

    private choose(quantity: number): void {
        this.quantity = quantity;
        this.redraw();
    }

    redraw(): void {
        if (this.pane.hidden) return;
        if (this.charts.length === 0) this.rebuild();
        for (const { plot, chart } of this.charts) {
            const data = this.data_of(chart);
            plot.setData(data);
            plot.root.classList.toggle("is-empty", !data.slice(1).some((line) => (line as (number | null)[]).some((each) => each !== null)));
        }
    }

    private schedule(): void {
        if (this.timer) return;
        this.timer = window.setTimeout(() => {
            this.timer = 0;
            this.redraw();
        }, kRedraw);
    }

    private follow(status: Status): void {
        if (status.time === this.playhead) return;
        this.playhead = status.time;
        if (!this.pane.hidden) for (const { plot } of this.charts) move_playhead(plot, this.playhead);
    }

    private data_of(chart: Chart): uPlot.AlignedData {
        const time = (this.columns.get("time") ?? []) as number[];
        if (chart === kProbe) {
            const column = kQuantities[this.quantity][2];
            return [time, time.map((_, i) => this.probe[i]?.[column] ?? null)];
        }
        const lines = chart.lines.map(({ column }) => {
            const values = this.columns.get(column) ?? [];
            return chart.is_logarithmic ? values.map((each) => (each !== null && each > 0 ? each : null)) : values;
        });
        return [time, ...lines];
    }

    private rebuild(): void {
        for (const { plot } of this.charts) plot.destroy();
        this.charts.length = 0;
        this.pane.replaceChildren();
        for (const chart of [kProbe, ...kCharts]) {
            const caption = chart === kProbe ? element("figcaption", {}, "Selected", this.quantities) : make_caption(chart);
            const host = element("figure", { class: "plot", "data-testid": `plot-${chart.lines[0].column}` }, caption);
            this.pane.append(host);
            const plot = new uPlot(this.options(chart, host), this.data_of(chart), host);
            plot.over.addEventListener("click", () => { if (plot.cursor.idx != null) this.seek(plot.cursor.idx); });
            plot.over.append(element("div", { class: "playhead" }));
            this.charts.push({ plot, chart });
        }
        this.resize();
    }

    private options(chart: Chart, host: HTMLElement): uPlot.Options {
        const style = style_of_page(), colour = (name: string) => style.getPropertyValue(name).trim();
        const axis: uPlot.Axis = {
            stroke: colour("--text-faint"), font: "10px system-ui", ticks: { show: false },
            grid: { stroke: colour("--line"), width: 1 },
        };
        const y_axis: uPlot.Axis = { ...axis, size: 46, space: 22, values: short_numbers };
        return {
            ...size_of(host), padding: [8, 8, 0, 0], cursor: { sync: { key: "sinew" }, y: false, points: { size: 6 } },
            legend: { show: false },
            scales: { x: { time: false }, y: chart.is_logarithmic ? { distr: 3, range: logarithmic_range } : { range: linear_range } },
            axes: [{ ...axis, size: 22, values: (_, splits) => splits.map((each) => `${each}`) },
                chart.is_logarithmic ? { ...y_axis, filter: decades, grid: { ...axis.grid, filter: decades } } : y_axis],
            series: [{}, ...chart.lines.map(({ label, colour: name }) => ({ label, stroke: colour(name), width: 1.5, points: { show: false } }))],
            hooks: { draw: [(plot: uPlot) => move_playhead(plot, this.playhead)] },
        };
    }

    private resize(): void {
        for (const { plot } of this.charts) plot.setSize(size_of(plot.root.parentElement!));
    }
}

/** The title, and which colour is which where there are several lines. */
function make_caption({ title, unit, lines }: Chart): HTMLElement {
    const names = lines.length > 1 ? lines.map(({ label, colour }) => {
        const name = element("span", { class: "key" }, label);
        name.style.setProperty("--key", `var(${colour})`);
        return name;
    }) : [];
    return element("figcaption", {}, element("span", {}, title, element("span", { class: "faint" }, ` ${unit}`)), ...names);
}

function size_of(host: HTMLElement): { width: number; height: number } {
    return { width: Math.max(120, host.clientWidth - 12), height: Math.max(60, host.clientHeight - 30) };
}

/** Keeps powers of ten whose exponents have room. */
function decades(plot: uPlot, splits: number[]): (number | null)[] {
    const { min = 1, max = 10 } = plot.scales.y, every = Math.ceil((Math.log10(max) - Math.log10(min)) / 5);
    return splits.map((each) => {
        const power = Math.log10(each);
        return Math.abs(power - Math.round(power)) < 1e-6 && Math.round(power) % every === 0 ? each : null;
    });
}

function move_playhead(plot: uPlot, time: number): void {
    const line = plot.over.querySelector<HTMLElement>(".playhead");
    if (!line) return;
    const x = Math.round(plot.valToPos(time, "x"));
    line.hidden = !(x >= 0 && x <= plot.over.clientWidth);
    if (!line.hidden) line.style.transform = `translateX(${x}px)`;
}

function linear_range(_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
    if (low === null || high === null) return [0, 1];
    const room = (high - low) * 0.08 || Math.abs(high) * 0.1 || 1;
    return [low >= 0 && low < high * 0.5 ? 0 : low - room, high + room];
}

function logarithmic_range(_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
    if (low === null || high === null || !(low > 0)) return [1e-16, 1e-6];
    return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) + 1e-9)];
}

function short_numbers(_: uPlot, splits: (number | null)[]): string[] {
    return splits.map((each) => {
        if (each === null) return "";
        const size = Math.abs(each);
        return size !== 0 && (size >= 1e5 || size < 1e-3) ? each.toExponential(0) : `${Number(each.toPrecision(4))}`;
    });
}
