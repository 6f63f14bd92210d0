// The socket: commands out, messages in, and patience when it closes.

import type { Command, Message } from "./protocol";

export type Link = "connecting" | "open" | "waiting";

export interface Listener {
    message(message: Message): void;
    frame(data: ArrayBuffer): void;
    link(state: Link, attempt: number): void;
}

const kFirstDelay = 250; // [ms]
const kLongestDelay = 5000;
const kKey = "sinew.pass";

/** What the program gave beside a cookie, behind the # of the address. The page's origin keeps it, which has a port; cookies have none. */
function take_pass(): string | null {
    const given = /^#pass=([0-9a-f]+)$/.exec(location.hash);
    if (given) {
        localStorage.setItem(kKey, given[1]);
        history.replaceState(null, "", location.pathname);
    }
    return localStorage.getItem(kKey);
}

export class Connection {
    private socket: WebSocket | null = null;
    private attempt = 0;
    private timer = 0;

    constructor(private readonly listener: Listener) {}

    open(): void {
        window.clearTimeout(this.timer);
        this.listener.link("connecting", this.attempt);
        const scheme = location.protocol === "https:" ? "wss" : "ws";
        const pass = take_pass();
        const socket = new WebSocket(`${scheme}://${location.host}/ws`, pass ? ["sinew", pass] : []);
        socket.binaryType = "arraybuffer";
        socket.onopen = () => {
            this.attempt = 0;
            this.listener.link("open", 0);
        };
        socket.onmessage = (event) => this.receive(event.data as string | ArrayBuffer);
        socket.onclose = () => this.closed(socket);
        this.socket = socket;
    }

    send(command: Command): void {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
    }

    /** Tries at once instead of waiting for the next attempt. */
    retry(): void {
        if (this.socket?.readyState === WebSocket.OPEN) return;
        this.attempt = 0;
        this.open();
    }

    /** Drops the line as a failing network would; it is opened again after a while. */
    drop(): void {
        this.socket?.close();
    }

    private receive(data: string | ArrayBuffer): void {
        if (typeof data === "string") this.listener.message(JSON.parse(data) as Message);
        else this.listener.frame(data);
    }

    private closed(socket: WebSocket): void {
        if (socket !== this.socket) return;
        ++this.attempt;
        const delay = Math.min(kLongestDelay, kFirstDelay * 2 ** (this.attempt - 1));
        this.listener.link("waiting", this.attempt);
        this.timer = window.setTimeout(() => this.open(), delay);
    }
}
