// Numbers over time: of what is chosen, the script's probes, energies, constraint error, steps and
// milliseconds. The playhead is drawn in each; a click goes there.

import type uPlot from "uplot";
import { by_id, element } from "./dom";
import { icon } from "./icons";
import type { Command, Quantity, Series, Status, Watched } from "./protocol";
import { type Choice, choices_of_loads, kOfObjects, quantity_of, Watches } from "./quantities";
import type { Store } from "./store";
import { style_of_page } from "./theme";

interface Line {
    label: string;
    colour: string;
    column?: string; // of the series
    choice?: Choice; // or of what is watched
}

interface Chart {
    id: string;
    title: string;
    unit: string;
    lines: Line[];
    is_logarithmic?: boolean;
}

const kCharts: Chart[] = [
    {
        id: "kinetic", title: "Energy", unit: "J",
        lines: [
            { column: "kinetic", label: "kinetic", colour: "--plot-a" },
            { column: "potential", label: "potential", colour: "--plot-b" },
            { column: "total", label: "total", colour: "--plot-c" },
        ],
    },
    { id: "residual", title: "Constraint error", unit: "m", lines: [{ column: "residual", label: "residual", colour: "--plot-b" }], is_logarithmic: true },
    { id: "steps", title: "Steps per frame", unit: "all parts", lines: [{ column: "steps", label: "steps", colour: "--plot-a" }] },
    { id: "ms", title: "Time per frame", unit: "ms", lines: [{ column: "ms", label: "ms", colour: "--plot-d" }] },
];
const kChosen = "chosen"; // the chart whose quantity is chosen in its caption
const kProbeColours = ["--plot-a", "--plot-b", "--plot-d"];
const kRedraw = 250; // [ms]

const chart_of = (id: string, choice: Choice): Chart =>
    ({ id, title: `${choice.name ? `${choice.name} ` : ""}${choice.label}`, unit: choice.unit, lines: [{ label: choice.label, colour: "--plot-c", choice }] });

const chart_of_probe = (name: string): Chart => ({
    id: `probe-${name}`, title: name, unit: "", lines: kProbeColours.map((colour, column) =>
        ({ label: ["x", "y", "z"][column], colour, choice: { kind: "probe", name, column, label: name, unit: "" } })),
});

export class Plots {
    private readonly columns = new Map<string, (number | null)[]>();
    private readonly charts: { plot: uPlot; chart: Chart }[] = [];
    private readonly pane = by_id("plots");
    private playhead = 0;
    private timer = 0;

    private library: typeof uPlot | null = null; // loaded when plots are first wanted
    private readonly watches: Watches;
    private readonly kept: Chart[] = []; // chosen before, and kept beside what is chosen now
    private probes = ""; // of the script, as charts stand for them
    private choices: Choice[] = kOfObjects;
    private chosen = 0;
    private readonly chooser = element("select", {
        "aria-label": "Quantity", "data-testid": "quantity", change: () => this.choose(Number(this.chooser.value)),
    });
    private readonly keeper = element("button", {
        type: "button", class: "quiet", "aria-label": "Keep this plot", title: "Keep this plot, and choose another beside it", "data-testid": "keep-plot", click: () => this.keep(),
    }, icon("plus"));

    constructor(private readonly store: Store, private readonly seek: (frame: number) => void, send: (command: Command) => void) {
        this.watches = new Watches(send);
        store.on("status", (status) => this.follow(status));
        store.on("theme", () => this.rebuild());
        store.on("scene", () => this.offer());
        store.on("selection", () => { this.rename(); this.redraw(); });
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

    /** Another script, or another program: nothing of before counts, and it is told again what is plotted. */
    forget(): void {
        this.columns.clear();
        this.watches.forget();
        this.schedule();
    }

    add_watched(message: Watched): void {
        this.watches.add(message);
        this.schedule();
    }

    /** The choices that the scene has, and a chart for each of its probes. */
    private offer(): void {
        const { scene } = this.store, probes = (scene?.probes ?? []).join("\n"), wanted = this.choices[this.chosen];
        this.choices = [...kOfObjects, ...choices_of_loads(scene)];
        this.chosen = Math.max(0, this.choices.findIndex((each) => each.label === wanted.label));
        this.rename();
        if (probes !== this.probes && this.charts.length > 0) this.rebuild();
        this.probes = probes;
        this.redraw();
    }

    /** The options say of which object they are. */
    private rename(): void {
        const { scene, selection } = this.store, name = selection === null ? "selected object" : scene?.objects[selection]?.name ?? "";
        this.chooser.replaceChildren(...this.choices.map(({ kind, label, unit }, i) =>
            element("option", { value: i }, `${kind === "object" ? `${name} ` : ""}${label} [${unit}]`)));
        this.chooser.value = `${this.chosen}`;
        this.keeper.disabled = quantity_of(this.choices[this.chosen], scene, selection) === null;
    }

    private choose(choice: number): void {
        this.chosen = choice;
        this.rename();
        this.rebuild();
    }

    /** What is chosen now stays, whatever is selected next. */
    private keep(): void {
        const { scene, selection } = this.store, choice = this.choices[this.chosen];
        const name = choice.kind === "object" ? scene?.objects[selection ?? -1]?.name ?? "" : choice.name;
        const chart = chart_of(`kept-${choice.kind}-${name}-${choice.column}`, { ...choice, name });
        if (name && !this.kept.some((each) => each.id === chart.id)) this.kept.push(chart);
        this.rebuild();
    }

    private drop(chart: Chart): void {
        this.kept.splice(this.kept.indexOf(chart), 1);
        this.rebuild();
    }

    /** Tells the program what is plotted: nothing while nobody looks. */
    private watch(): void {
        const { scene, selection } = this.store, lines = this.pane.hidden ? [] : this.charts.flatMap(({ chart }) => chart.lines);
        if (scene) this.watches.want(lines.map(({ choice }) => choice ? quantity_of(choice, scene, selection) : null).filter((each): each is Quantity => each !== null));
    }

    redraw(): void {
        if (!this.pane.hidden && !this.library) return void this.load();
        if (!this.pane.hidden && this.charts.length === 0) return this.rebuild();
        this.watch();
        if (this.pane.hidden) return;
        for (const { plot, chart } of this.charts) {
            const data = this.data_of(chart);
            plot.setData(data);
            hide_zeros(plot, chart, data);
            plot.root.classList.toggle("is-empty", !data.slice(1).some((line) => (line as (number | null)[]).some((each) => each !== null)));
        }
    }

    /** The numbers of a chart's first line; null: there is no such chart. */
    plotted(id: string): (number | null)[] | null {
        const found = this.charts.find(({ chart }) => chart.id === id);
        return found ? (this.data_of(found.chart)[1] as (number | null)[]) : null;
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
        const time = (this.columns.get("time") ?? []) as number[], { scene, selection } = this.store;
        const lines = chart.lines.map(({ column, choice }) => {
            if (choice) return this.watches.column(quantity_of(choice, scene, selection), choice.column, time.length);
            const values = this.columns.get(column!) ?? [];
            return chart.is_logarithmic ? values.map((each) => (each !== null && each > 0 ? each : null)) : values;
        });
        return [time, ...lines];
    }

    private async load(): Promise<void> {
        this.library = (await import("uplot")).default;
        this.rebuild();
    }

    private rebuild(): void {
        for (const { plot } of this.charts) plot.destroy();
        this.charts.length = 0;
        this.pane.replaceChildren();
        if (this.pane.hidden || !this.library) return;
        const chosen = chart_of(kChosen, this.choices[this.chosen]), probes = (this.store.scene?.probes ?? []).map(chart_of_probe);
        for (const chart of [...probes, ...this.kept, chosen, ...kCharts]) {
            const host = element("figure", { class: "plot", "data-testid": `plot-${chart.id}` }, this.caption_of(chart));
            this.pane.append(host);
            const plot = new this.library(this.options(chart, host), this.data_of(chart), host);
            plot.over.addEventListener("click", () => { if (plot.cursor.idx != null) this.seek(plot.cursor.idx); });
            plot.over.append(element("div", { class: "playhead" }));
            this.charts.push({ plot, chart });
        }
        this.resize();
        this.redraw();
    }

    private caption_of(chart: Chart): HTMLElement {
        if (chart.id === kChosen) return element("figcaption", {}, this.chooser, this.keeper);
        const caption = make_caption(chart);
        if (this.kept.includes(chart))
            caption.append(element("button", { type: "button", class: "quiet", "aria-label": `Close the plot of ${chart.title}`, click: () => this.drop(chart) }, icon("close")));
        return caption;
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

/** A probe of one number has noughts for the others. */
function hide_zeros(plot: uPlot, { lines }: Chart, data: uPlot.AlignedData): void {
    lines.forEach(({ choice }, i) => {
        if (choice?.kind !== "probe" || i === 0) return;
        const show = (data[i + 1] as (number | null)[]).some((each) => each !== null && each !== 0);
        if (plot.series[i + 1].show !== show) plot.setSeries(i + 1, { show });
    });
}

/** The title, and which colour is which where there are several lines. */
function make_caption({ title, unit, lines }: Chart): HTMLElement {
    const names = lines.length > 1 && !lines[0].choice ? lines.map(({ label, colour }) => {
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
