// Puts the page together: messages go to the store and its listeners, people's doings to the socket.

import "../node_modules/lil-gui/dist/lil-gui.css";
import "uplot/dist/uPlot.min.css";
import "./style/theme.css";
import "./style/layout.css";
import "./style/parts.css";
import "./style/code.css";
import "./style/small.css";

import { Banner } from "./banner";
import { Connection } from "./connection";
import { decode_frame } from "./decode";
import { by_id, element } from "./dom";
import { icon } from "./icons";
import { Drag } from "./drag";
import { Assist } from "./assist_questions";
import type { Editor } from "./editor";
import { Gallery } from "./gallery";
import { Header } from "./header";
import { Help } from "./help";
import { Inspector } from "./inspector";
import { Legend } from "./legend";
import { control, type Key, listen, plain } from "./keys";
import { notify } from "./notices";
import { Objects } from "./objects";
import { Panes } from "./panes";
import { Parameters } from "./parameters";
import { Plots } from "./plots";
import type { Command, Message, Problem, Vec } from "./protocol";
import { SaveAs } from "./save_as";
import { View } from "./scene3d/view";
import { Store } from "./store";
import { kTools, Tools } from "./tools";
import { style_of_page, Themes } from "./theme";
import { type Shows, Toggles } from "./toggles";
import { Transport } from "./transport";

const store = new Store();
const connection = new Connection({ message: receive, frame: receive_frame, link: link_changed });
/** Nothing overtakes a slider: what it was set to is sent before. */
const send = (command: Command) => {
    if (command.type !== "parameter") parameters.flush();
    connection.send(command);
};

if (!document.createElement("canvas").getContext("webgl2"))
    by_id("banner").append(element("div", { class: "banner" }, "This browser shows no WebGL 2, which the picture needs: enable hardware acceleration, or use another browser."));
const canvas = by_id<HTMLCanvasElement>("picture");
const view = new View(canvas, by_id("labels"), new Legend(by_id("stage")));
const themes = new Themes(store);
const banner = new Banner(by_id("banner"), () => connection.retry());
const transport = new Transport(store, send);
const plots = new Plots(store, (frame) => send({ type: "seek", frame }), send);
const panes = new Panes(() => plots.redraw());
const assist = new Assist(send);
let editor: Editor | null = null; // loaded after the first picture
const shown = { text: "", name: "", problems: [] as Problem[], is_read_only: false };

const panel = by_id("panel");
const sections = { parameters: element("div"), shows: element("div"), inspector: element("div"), objects: element("section", { class: "object-list" }) };
panel.append(sections.inspector, sections.parameters, sections.shows, sections.objects);
const parameters = new Parameters(sections.parameters, store, (name, value) => send({ type: "parameter", name, value }));
const toggles = new Toggles(sections.shows, store, apply_shows);
const inspector = new Inspector(sections.inspector, store, send, select, go_to_line, () => drag.clicked, toggle_follow);
const objects = new Objects(sections.objects, store, select, (object) => view.hover(object), (hidden) => view.hide(hidden));
const tools = new Tools(by_id("stage"), store, send, select, (ends) => view.measure(ends));
const drag = new Drag(canvas, view, store, send, select, tools);

let reconnects = -1;
let followed: number | null = null;
let wants_play = false; // this page was the first on the script: it plays when there is something to see

const keys: Key[] = [
    { keys: "Space", text: "play, pause", matches: plain(" "), run: () => transport.toggle_play() },
    { keys: "←", text: "one frame back (Shift: ten)", matches: plain("ArrowLeft"), run: () => transport.step(-1) },
    { keys: "→", text: "one frame on (Shift: ten)", matches: plain("ArrowRight"), run: () => transport.step(1) },
    { keys: "Home", text: "to the first frame", matches: plain("Home"), run: () => send({ type: "seek", frame: 0 }) },
    { keys: "End", text: "to the last frame computed", matches: plain("End"), run: () => send({ type: "seek", frame: Math.max(0, (store.status?.valid ?? 1) - 1) }) },
    { keys: "Backspace", text: "restart, the mouse's doings forgotten", matches: plain("Backspace"), run: () => send({ type: "restart" }) },
    { keys: "L", text: "loop", matches: plain("l"), run: () => transport.toggle_loop() },
    { keys: "[ ]", text: "slower, faster", matches: plain("["), run: () => transport.change_speed(-1) },
    { keys: "F", text: "see everything", matches: plain("f"), run: () => view.framing.reset() },
    { keys: "C", text: "the script's camera", matches: plain("c"), run: () => store.scene && view.framing.use_script_camera(store.scene) },
    { keys: "Alt ← →", text: "turn the camera (with Shift: shift it)", matches: camera_key("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"), run: move_camera },
    { keys: "+ −", text: "nearer, farther", matches: plain("+", "="), run: () => view.framing.zoom(1 / 1.15) },
    { keys: "Alt 1 2 3", text: "from the front, from above, from the side", matches: camera_key("1", "2", "3"), run: look_from },
    { keys: "B", text: "follow what is selected", matches: plain("b"), run: toggle_follow },
    { keys: "M", text: "measure", matches: plain("m"), run: () => tools.take("measure") },
    { keys: "E", text: "script", matches: plain("e"), run: () => panes.toggle("editor") },
    { keys: "P", text: "plots", matches: plain("p"), run: () => panes.toggle("plots") },
    { keys: "I", text: "panel", matches: plain("i"), run: () => panes.toggle("panel") },
    { keys: "/", text: "search objects", matches: plain("/"), run: () => { panes.show("panel"); objects.focus(); } },
    { keys: "K", text: "constraints", matches: plain("k"), run: () => toggles.toggle("constraints") },
    { keys: "R", text: "residuals", matches: plain("r"), run: () => toggles.toggle("residuals") },
    { keys: "V", text: "forces", matches: plain("v"), run: () => toggles.toggle("forces") },
    { keys: "O", text: "contacts", matches: plain("o"), run: () => toggles.toggle("contacts") },
    { keys: "Y", text: "stack layers", matches: plain("y"), run: () => toggles.toggle("layers") },
    { keys: "X", text: "frames", matches: plain("x"), run: () => toggles.toggle("frames") },
    { keys: "N", text: "names", matches: plain("n"), run: () => toggles.toggle("names") },
    { keys: "G", text: "grid", matches: plain("g"), run: () => toggles.toggle("grid") },
    { keys: "S", text: "picture as PNG", matches: plain("s"), run: screenshot },
    { keys: "T", text: "light or dark", matches: plain("t"), run: () => themes.toggle() },
    ...kTools.map((tool, i) => ({ keys: `${i + 1}`, text: `tool: ${tool.text.toLowerCase()}`, matches: plain(`${i + 1}`), run: () => tools.take(tool.name) })),
    { keys: "Ctrl O", text: "open an example or another script", matches: control("o"), run: () => gallery.show(), works_in_editor: true },
    { keys: "Ctrl Z", text: "undo", matches: control("z"), run: () => send({ type: "undo" }) },
    { keys: "Ctrl Shift Z", text: "redo", matches: control("z", true), run: () => send({ type: "redo" }) },
    { keys: "Ctrl S", text: "save the session as a script", matches: control("s"), run: () => send({ type: "save" }), works_in_editor: true },
    { keys: "Ctrl Shift S", text: "save it under another name", matches: control("s", true), run: save_as, works_in_editor: true },
    { keys: "Esc", text: "let go, back to pulling, select nothing", matches: plain("Escape"), run: () => { if (drag.is_active) drag.cancel(); else if (!tools.drop() && !panes.close_drawers()) select(null); } },
    { keys: "H", text: "help", matches: plain("h"), run: () => help.show() },
    { keys: "?", text: "this sheet", matches: (event) => event.key === "?", run: () => help.show_keys() },
];
const help = new Help(keys);
const save_as_dialog = new SaveAs((name) => send({ type: "save", name }));
const gallery = new Gallery(store, send);
const quiet_keys: Key[] = [
    { keys: "", text: "", matches: plain("-"), run: () => view.framing.zoom(1.15) },
    { keys: "", text: "", matches: plain("]"), run: () => transport.change_speed(1) },
    { keys: "", text: "", matches: (e) => e.shiftKey && plain("ArrowLeft")(e), run: () => transport.step(-10) },
    { keys: "", text: "", matches: (e) => e.shiftKey && plain("ArrowRight")(e), run: () => transport.step(10) },
];
listen([...quiet_keys, ...keys]);
new Header(store, {
    send, screenshot, toggle_theme: () => themes.toggle(), toggle_pane: (pane) => panes.toggle(pane),
    show_help: () => help.show(), show_keys: () => help.show_keys(), frame_all: () => view.framing.reset(),
    show_gallery: () => gallery.show(),
});
for (const [id, title] of [["editor-pane", "script"], ["panel", "panel"]] as const)
    by_id(id).append(element("button", {
        type: "button", class: "quiet drawer-close", "aria-label": `Close the ${title}`, "data-testid": `close-${id}`, click: () => panes.close_drawers(),
    }, icon("close")));
panes.mark_buttons();

store.on("theme", (theme) => view.set_colours(style_of_page(), theme === "dark"));
themes.apply();
apply_shows(toggles.shows);
connection.open();
void load_editor();
help.hint_on_first_visit(by_id("stage"));

function receive(message: Message): void {
    switch (message.type) {
    case "welcome":
        view.forget(store.welcome?.name !== message.name);
        if (store.welcome && message.name !== store.welcome.name) {
            select(null);
            follow(null);
        }
        store.emit("welcome", message);
        plots.forget();
        wants_play = message.visit === 0 && localStorage.getItem("sinew.autoplay") !== "off";
        shown.name = message.name;
        shown.is_read_only = !message.can_simulate;
        editor?.set_name(message.name);
        editor?.set_read_only(shown.is_read_only);
        break;
    case "scene":
        view.set_scene(message);
        store.emit("scene", message);
        if (wants_play) send({ type: "play" });
        wants_play = false;
        if (store.selection !== null && !message.objects[store.selection]) select(null);
        break;
    case "status": store.emit("status", message); break;
    case "script":
        shown.text = message.text;
        editor?.set_text(message.text);
        break;
    case "files": gallery.set_files(message); break;
    case "assist": assist.answer(message); break;
    case "watch": plots.add_watched(message); break;
    case "problems":
        store.emit("problems", message.list);
        shown.problems = message.list;
        editor?.show_problems(message.list, shown.name);
        break;
    case "inspect": inspector.show_rows(message.object, message.rows); break;
    case "series": plots.add(message); break;
    case "notice": notify(message.severity, message.text); break;
    case "saved": notify("info", `${message.kind === "script" ? "Script" : "Recording"} saved: ${message.name}`); break;
    }
}

function receive_frame(data: ArrayBuffer): void {
    const begin = performance.now(), frame = decode_frame(data);
    if (!frame) return;
    store.emit("frame", frame);
    view.set_frame(frame);
    view.stopwatch.decoded(performance.now() - begin);
}

function link_changed(state: "connecting" | "open" | "waiting", attempt: number): void {
    store.emit("link", { state, attempt });
    banner.show(state, attempt);
    if (state !== "open") return;
    ++reconnects;
    apply_shows(toggles.shows);
    if (store.selection !== null) send({ type: "select", object: store.selection });
}

function apply_shows(shows: Shows): void {
    view.show(shows);
    send({ type: "show", forces: shows.forces, residuals: shows.residuals, contacts: shows.contacts, layers: shows.layers });
}

function select(object: number | null): void {
    if (object === store.selection) return;
    store.emit("selection", object);
    view.select(object);
    send({ type: "select", object });
}

/** CodeMirror is large: the picture does not wait for it. */
async function load_editor(): Promise<void> {
    const { make_editor } = await import("./editor");
    const made = make_editor(by_id("editor-pane"), assist, (text) => send({ type: "script", text }), () => send({ type: "save" }));
    made.set_name(shown.name);
    made.set_read_only(shown.is_read_only);
    made.set_text(shown.text);
    made.show_problems(shown.problems, shown.name);
    editor = made;
}

function follow(object: number | null): void {
    followed = object;
    view.follow(object);
    inspector.show_follow(object);
}

function toggle_follow(): void {
    follow(followed !== null ? null : store.selection);
}

function camera_key(...names: string[]): (event: KeyboardEvent) => boolean {
    return (event) => event.altKey && !event.ctrlKey && !event.metaKey && names.some((each) => each === event.key || event.code === `Digit${each}`);
}

function move_camera(event: KeyboardEvent): void {
    const right = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0, up = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (event.shiftKey) view.framing.shift(right, up);
    else view.framing.turn(right, up);
}

function look_from(event: KeyboardEvent): void {
    view.framing.look_from(event.code === "Digit1" ? [0, 0, 1] : event.code === "Digit2" ? [0, 1, 0] : [1, 0, 0]);
}

function go_to_line(line: number): void {
    panes.show("editor");
    editor?.go_to(line);
}

function save_as(): void {
    save_as_dialog.show((store.welcome?.name ?? "session.charli").replace(/\.sinew$/, ".charli"));
}

function screenshot(): void {
    view.screenshot().toBlob((blob) => {
        if (!blob) return;
        const link = element("a", { download: `${store.welcome?.name ?? "sinew"}-${store.status?.frame ?? 0}.png` });
        link.href = URL.createObjectURL(blob);
        link.click();
        window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
        notify("info", `Picture saved: ${link.download}`);
    });
}

/** What tests ask the page. */
const tests = {
    status: () => store.status,
    scene: () => store.scene,
    frame: () => view.drawn && { frame: view.drawn.frame, time: view.drawn.time, bytes: view.drawn.bytes, hands: view.drawn.hands,
        contacts: view.drawn.contacts, layers: view.drawn.layers },
    reconnects: () => reconnects,
    camera: view.framing.camera,
    work: () => view.stopwatch.work(),
    forget_work: () => view.stopwatch.forget(),
    project: (object: number) => view.project(object),
    place: (object: number): Vec | null => view.place_of(object),
    project_along: (object: number, along: number) => view.project_along(object, along),
    place_along: (object: number, along: number) => view.place_along(object, along),
    labels: () => view.label_texts,
    pixel: (x: number, y: number) => view.pixel(x, y),
    picture: () => view.screenshot().toDataURL(),
    selection: () => store.selection,
    plotted: (chart: string) => plots.plotted(chart),
    cursor: () => editor?.cursor,
    put_cursor: (at: number) => editor?.put_cursor(at),
    editor_text: () => editor?.text ?? shown.text,
    has_editor: () => editor !== null,
    measured: () => view.measured,
    frameCount: () => view.frames_drawn,
    first_picture: () => view.first_picture,
    send,
    draw_little: () => view.draw_little(),
    drop: () => connection.drop(),
};
declare global {
    interface Window { sinew: typeof tests }
}
window.sinew = tests;
