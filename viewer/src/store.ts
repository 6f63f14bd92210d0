// What the page knows, and who wants to hear of it.

import type { Link } from "./connection";
import type { FrameData } from "./decode";
import type { Problem, Scene, Status, Welcome } from "./protocol";

interface Events {
    welcome: Welcome;
    scene: Scene;
    status: Status;
    frame: FrameData;
    problems: Problem[];
    selection: number | null;
    link: { state: Link; attempt: number };
    theme: "light" | "dark";
}

type Handler<K extends keyof Events> = (value: Events[K]) => void;

export class Store {
    welcome: Welcome | null = null;
    scene: Scene | null = null;
    status: Status | null = null;
    frame: FrameData | null = null;
    problems: Problem[] = [];
    selection: number | null = null;

    private readonly handlers = new Map<keyof Events, Handler<never>[]>();

    on<K extends keyof Events>(name: K, handler: Handler<K>): void {
        const list = this.handlers.get(name) ?? [];
        list.push(handler as Handler<never>);
        this.handlers.set(name, list);
    }

    emit<K extends keyof Events>(name: K, value: Events[K]): void {
        if (name in this) (this as unknown as Record<string, unknown>)[name] = value;
        for (const handler of this.handlers.get(name) ?? []) (handler as Handler<K>)(value);
    }
}
