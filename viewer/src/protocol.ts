// The messages of PROTOCOL.md as types.

export type Vec = [number, number, number];

export type ElementKind =
    | "sphere" | "curve" | "spring" | "polygon" | "surface" // stand on points
    | "box" | "capsule" | "cylinder" | "cone" | "plane" | "mesh"; // stand on a pose
export type ElementRole = "thing" | "constraint" | "label" | "frame" | "twist" | "mount";

export interface SceneElement {
    kind: ElementKind;
    role?: ElementRole;
    object?: number;
    colour: Vec;
    radius?: number;
    radii?: number[]; // of a tapered curve: at each point
    size?: Vec;
    first: number;
    count?: number;
    mesh?: number;
    constraint?: number;
    body?: number;
    turns?: number;
    is_closed?: boolean;
    roughness?: number; // 0 to 1, as those below; absent: 0
    metal?: number;
}

export interface SceneObject {
    name: string;
    parent: number;
    is_dynamic: boolean;
    is_body?: boolean; // held where it is clicked, as are curves
    curve?: "strand" | "rod" | null;
    is_fixed: boolean;
    is_pinned: boolean;
    mass: number;
    line: number;
}

export interface Constraint {
    name: string;
    kind: string;
    objects: number[];
    line: number;
}

export interface Parameter {
    name: string;
    value: number;
    low: number | null;
    high: number | null;
    text: string;
    unit: string;
}

export interface Scene {
    type: "scene";
    revision: number;
    frame_rate: number;
    start: number;
    frame_count: number;
    unit: number;
    bounds: [Vec, Vec];
    camera: { position: Vec; target: Vec; fov: number } | null;
    point_count: number;
    pose_count: number;
    objects: SceneObject[];
    elements: SceneElement[];
    meshes: { vertices: number[]; triangles: number[] }[];
    constraints: Constraint[];
    parameters: Parameter[];
    has_contacts?: boolean;
    has_layers?: boolean;
    probes?: string[]; // of the script, by name
    loads?: string[]; // constraints whose forces are known
    layer_colours?: { ramp: Vec[]; air: Vec };
    studio?: { low: Vec; high: Vec; near: Vec; sun: Vec }; // of the script: linear colours, and where the sun is
}

export interface Status {
    type: "status";
    frame: number;
    time: number;
    is_playing: boolean;
    speed: number;
    loop: boolean;
    valid: number;
    stale: number;
    frame_count: number;
    is_computing: boolean;
    can_undo: boolean;
    can_redo: boolean;
    is_changed: boolean;
    fault: string | null;
    steps_ms: number;
    busy_frame?: number; // that is being computed
    busy_seconds?: number; // since when
    is_waiting?: boolean; // commands are not done yet
    is_opening?: boolean;
    is_writing?: boolean;
}

export interface Problem {
    severity: "error" | "warning" | "note";
    code: string;
    line: number;
    column: number;
    length: number;
    message: string;
    hint: string;
    fix?: string; // what to write instead
    file: string;
}

export interface Welcome {
    type: "welcome";
    protocol: number;
    version: string;
    name: string;
    visit?: number; // how many pages came before
    is_recording: boolean;
    can_simulate: boolean;
}

export interface Series {
    type: "series";
    first: number;
    columns: string[];
    rows: (number | null)[][];
}

export interface Example {
    name: string;
    title: string;
    text: string;
    picture: string;
}

/** What can be opened. */
export interface Files {
    type: "files";
    files: string[];
    examples: Example[];
}

/** To a question of the editor; places in bytes. */
export interface Answer {
    type: "assist";
    id: number;
    completions: { label: string; kind: string; detail: string; documentation: string }[];
    hover?: { offset: number; length: number; text: string };
    call?: CallHelp;
    definition?: { offset: number; length: number };
}

/** What a word takes, in each of its forms, and which argument is being typed. */
export interface CallHelp {
    forms: { text: string; arguments: string[]; meanings: string[] }[];
    meaning: string;
    argument: number;
}

/** What can be plotted over all frames: an object, a probe of the script, what a constraint bears. */
export interface Quantity {
    kind: "object" | "probe" | "load";
    number: number;
}

/** Numbers of a quantity, from frame `first` on; of an object x, y, z [m] and speed [m/s], of a load newtons and newton metres. */
export interface Watched extends Quantity {
    type: "watch";
    first: number;
    rows: (number | null)[][];
}

export type Severity = "error" | "warning" | "note" | "info";

export type Message =
    | Welcome | Scene | Status | Series | Files | Answer | Watched
    | { type: "script"; text: string; revision: number }
    | { type: "problems"; list: Problem[] }
    | { type: "inspect"; object: number; name: string; rows: [string, string][] }
    | { type: "notice"; severity: Severity; text: string }
    | { type: "saved"; name: string; kind: "script" | "recording" };

export type Command =
    | { type: "play" | "pause" | "restart" | "release" | "undo" | "redo" | "list" | "new" }
    | { type: "open"; name: string; is_example: boolean }
    | { type: "watch"; list: Quantity[] }
    | { type: "complete" | "hover" | "call" | "definition"; id: number; text: string; offset: number }
    | { type: "step"; by: number }
    | { type: "seek"; frame: number }
    | { type: "speed"; value: number }
    | { type: "loop"; on: boolean }
    | { type: "grab"; object: number; target: Vec }
    | { type: "drag"; target: Vec }
    | { type: "move"; object: number; by: Vec }
    | { type: "pin"; object: number; place?: Vec }
    | { type: "unpin"; object: number }
    | { type: "tie"; object: number; place: Vec; other: number; other_place: Vec }
    | { type: "thread"; bead: number; object: number; place: Vec }
    | { type: "cut" | "loosen"; object: number; place: Vec }
    | { type: "select"; object: number | null }
    | { type: "show"; forces: boolean; residuals: boolean; contacts: boolean; layers: boolean }
    | { type: "parameter"; name: string; value: number }
    | { type: "script"; text: string }
    | { type: "save" | "record"; name?: string };
