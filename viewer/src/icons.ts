// Line icons on a 20 × 20 grid, drawn in the colour of the text around them.

const kPaths = {
    play: "M6 4.2v11.6L15.5 10z",
    pause: "M6.5 4.5v11M13.5 4.5v11",
    back: "M13 5l-6 5 6 5M5 5v10",
    forward: "M7 5l6 5-6 5M15 5v10",
    restart: "M4.5 10a5.5 5.5 0 1 0 1.8-4.1M4.3 3.6l1.6 2.6 2.9-.9",
    loop: "M4 9.5V9a3 3 0 0 1 3-3h8M12.6 3.4L15.2 6l-2.6 2.6M16 10.5v.5a3 3 0 0 1-3 3H5M7.4 16.6L4.8 14l2.6-2.6",
    undo: "M7.5 4L4 7.5 7.5 11M4.5 7.5H12a4 4 0 0 1 0 8H8.5",
    redo: "M12.5 4L16 7.5 12.5 11M15.5 7.5H8a4 4 0 0 0 0 8h3.5",
    record: "M10 5.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6z",
    camera: "M3.5 6.5h3l1.2-2h4.6l1.2 2h3v9h-13zM10 8.2a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2z",
    save: "M4 4h9.5L16 6.5V16H4zM7 4v4h5.5V4M7 16v-4.5h6V16",
    sun: "M10 6.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4zM10 2.5v1.6M10 15.9v1.6M2.5 10h1.6M15.9 10h1.6M4.7 4.7l1.1 1.1M14.2 14.2l1.1 1.1M15.3 4.7l-1.1 1.1M5.8 14.2l-1.1 1.1",
    moon: "M15.8 11.8A6.3 6.3 0 0 1 8.2 4.2a6.3 6.3 0 1 0 7.6 7.6z",
    help: "M7.6 7.6a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.7M10 14.6v.1M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4z",
    keys: "M3 6h14v8.5H3zM5.5 8.6h.1M8 8.6h.1M10.5 8.6h.1M13 8.6h.1M6.5 12h7",
    editor: "M7.2 6L3.5 10l3.7 4M12.8 6l3.7 4-3.7 4",
    plots: "M3.5 3.5v13h13M6 12.5l3-4 2.6 2.3L16 5.5",
    panel: "M3.5 4.5h13v11h-13zM12 4.5v11",
    frame: "M4 7.5V4h3.5M12.5 4H16v3.5M16 12.5V16h-3.5M7.5 16H4v-3.5M10 8.4a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2z",
    gallery: "M3.5 4h5.5v5.5H3.5zM11 4h5.5v5.5H11zM3.5 11.5h5.5V16H3.5zM11 11.5h5.5V16H11z",
    more: "M4.5 10h.1M10 10h.1M15.5 10h.1",
    measure: "M2.8 13.2L13.2 2.8l4 4L6.8 17.2zM6 10l1.6 1.6M8.5 7.5l2.4 2.4M11 5l1.6 1.6",
    eye: "M2.5 10C4.5 6.5 7 5 10 5s5.5 1.5 7.5 5c-2 3.5-4.5 5-7.5 5s-5.5-1.5-7.5-5zM10 7.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8z",
    eye_off: "M2.5 10C4.5 6.5 7 5 10 5s5.5 1.5 7.5 5c-2 3.5-4.5 5-7.5 5s-5.5-1.5-7.5-5zM4 16L16 4",
    fold: "M7 5l6 5-6 5",
    follow: "M10 3v3M10 14v3M3 10h3M14 10h3M10 7.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
    plus: "M10 4v12M4 10h12",
    close: "M5 5l10 10M15 5L5 15",
    hand: "M7 10V4.8a1.2 1.2 0 0 1 2.4 0V9m0-.4V3.7a1.2 1.2 0 0 1 2.4 0V9m0-3.5a1.2 1.2 0 0 1 2.4 0v5.7c0 3-1.6 5-4.4 5-2.2 0-3.4-1-4.4-2.9L3.7 10.2a1.2 1.2 0 0 1 2-1.3L7 10.6",
    tie: "M3 6.5c3 0 4 7 7 7s4-7 7-7M3 13.5c3 0 4-7 7-7s4 7 7 7",
    thread: "M2.5 10h4.5M13 10h4.5M10 6.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4z",
    cut: "M5.5 12.2a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4zM14.5 12.2a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4zM6.7 12.6L13.6 3M13.3 12.6L6.4 3",
    loosen: "M7.5 3.5h5l-.8 5 2.3 2.5H6l2.3-2.5zM10 11v5.5M3 3l14 14",
    pin: "M7.5 3.5h5l-.8 5 2.3 2.5H6l2.3-2.5zM10 11v5.5",
} as const;

export type IconName = keyof typeof kPaths;

const kFilled = new Set<IconName>(["play", "record"]);
const kSpace = "http://www.w3.org/2000/svg";

export function icon(name: IconName): SVGSVGElement {
    const svg = document.createElementNS(kSpace, "svg");
    svg.setAttribute("viewBox", "0 0 20 20");
    svg.setAttribute("class", kFilled.has(name) ? "icon filled" : "icon");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(kSpace, "path");
    path.setAttribute("d", kPaths[name]);
    svg.append(path);
    return svg;
}
