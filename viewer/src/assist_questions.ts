// Questions of the editor on their way to the program, and the answers to them.

import type { Answer, Command } from "./protocol";

const kPatience = 3000; // [ms] for an answer

const encoder = new TextEncoder();
const bytes_to = (text: string, at: number) => encoder.encode(text.slice(0, at)).length;

export class Assist {
    private last = 0;
    private readonly waiting = new Map<number, (answer: Answer | null) => void>();

    constructor(private readonly send: (command: Command) => void) {}

    ask(type: "complete" | "hover" | "call" | "definition", text: string, at: number): Promise<Answer | null> {
        const id = ++this.last;
        return new Promise((resolve) => {
            const timer = window.setTimeout(() => this.settle(id, null), kPatience);
            this.waiting.set(id, (answer) => {
                window.clearTimeout(timer);
                resolve(answer);
            });
            this.send({ type, id, text, offset: bytes_to(text, at) });
        });
    }

    answer(answer: Answer): void {
        this.settle(answer.id, answer);
    }

    private settle(id: number, answer: Answer | null): void {
        this.waiting.get(id)?.(answer);
        this.waiting.delete(id);
    }
}
