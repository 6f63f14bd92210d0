// What the language server knows, in the editor: completion, help under the mouse, the arguments of
// the word that is being written, and where a name comes from. Blocks fold from their first line to
// their `end`.

import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { foldService } from "@codemirror/language";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, showTooltip, type Tooltip, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { element } from "./dom";
import type { Assist } from "./assist_questions";
import type { Answer, CallHelp } from "./protocol";

const kSignaturePause = 120; // [ms]
const kMostBack = 4000; // characters looked through for the head of a call

/** The character at so many bytes. */
function from_bytes(text: string, bytes: number): number {
    let count = 0;
    for (let i = 0; i < text.length; ++i) {
        if (count >= bytes) return i;
        const code = text.codePointAt(i)!;
        count += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        if (code >= 0x10000) ++i;
    }
    return text.length;
}

/** The editor's part of it. */
class Helper {
    constructor(private readonly questions: Assist) {}

    extensions(): Extension {
        return [
            autocompletion({ override: [(context) => this.complete(context)], icons: true, maxRenderedOptions: 80, tooltipClass: () => "completions" }),
            hoverTooltip((view, at) => this.hover(view, at), { hoverTime: 350 }),
            signature_field, this.signature(), this.definitions(), foldService.of(fold_at),
        ];
    }

    private async complete(context: CompletionContext): Promise<CompletionResult | null> {
        const word = context.matchBefore(/[A-Za-z_]\w*/), before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
        if (!context.explicit && !word && !/[(,.=]/.test(before)) return null;
        if (is_in_comment(context.state, context.pos)) return null;
        const text = context.state.doc.toString(), answer = await this.questions.ask("complete", text, context.pos);
        if (!answer || answer.completions.length === 0) return null;
        return { from: word?.from ?? context.pos, options: answer.completions.map(option_of), validFor: /^\w*$/ };
    }

    private async hover(view: EditorView, at: number): Promise<Tooltip | null> {
        const text = view.state.doc.toString(), found = (await this.questions.ask("hover", text, at))?.hover;
        if (!found) return null;
        const from = from_bytes(text, found.offset), to = from_bytes(text, found.offset + found.length);
        return { pos: from, end: to, above: true, create: () => ({ dom: element("div", { class: "help-tip", "data-testid": "hover" }, ...render(found.text)) }) };
    }

    /** Asks which argument of which word is being typed, when the cursor has moved within a call. */
    private signature(): Extension {
        const ask = (text: string, at: number) => this.questions.ask("call", text, at);
        return ViewPlugin.fromClass(class {
            private timer = 0;
            private asked = 0;

            update({ docChanged, selectionSet, focusChanged, view, state }: ViewUpdate): void {
                if (!docChanged && !selectionSet && !focusChanged) return;
                const head = view.hasFocus ? find_head(state) : null;
                if (head === null && !state.field(signature_field)) return;
                window.clearTimeout(this.timer);
                this.timer = window.setTimeout(() => void this.show(view, head), kSignaturePause);
            }

            destroy(): void {
                window.clearTimeout(this.timer);
            }

            private async show(view: EditorView, head: number | null): Promise<void> {
                const question = ++this.asked, at = view.state.selection.main.head;
                const call = head === null ? null : (await ask(view.state.doc.toString(), at))?.call ?? null;
                if (question !== this.asked) return; // another one is on its way
                const tip: Tooltip | null = call && head !== null ? {
                    pos: Math.min(head, view.state.doc.length), above: true, strictSide: true, create: () => ({ dom: draw_call(call) }),
                } : null;
                view.dispatch({ effects: set_signature.of(tip) });
            }
        });
    }

    /** F12 and a click with Ctrl go where the name at the cursor comes from. */
    private definitions(): Extension {
        const go = (view: EditorView, at: number) => {
            const text = view.state.doc.toString();
            void this.questions.ask("definition", text, at).then((answer) => {
                if (!answer?.definition || view.state.doc.toString() !== text) return;
                const { offset, length } = answer.definition, anchor = from_bytes(text, offset), head = from_bytes(text, offset + length);
                view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
                view.focus();
            });
            return true;
        };
        return [
            keymap.of([{ key: "F12", run: (view) => go(view, view.state.selection.main.head) }]),
            EditorView.domEventHandlers({
                mousedown: (event, view) => {
                    const at = event.ctrlKey || event.metaKey ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
                    return at !== null && event.button === 0 && go(view, at);
                },
            }),
        ];
    }
}

export const assist_extensions = (questions: Assist): Extension => new Helper(questions).extensions();

const set_signature = StateEffect.define<Tooltip | null>();
const signature_field = StateField.define<Tooltip | null>({
    create: () => null,
    update: (tip, { effects, changes }) => {
        for (const effect of effects) if (effect.is(set_signature)) return effect.value;
        return tip && { ...tip, pos: changes.mapPos(tip.pos) };
    },
    provide: (field) => showTooltip.from(field),
});

/** Where the word begins whose arguments are written at the cursor; null: the cursor is in no call. */
function find_head(state: EditorState): number | null {
    const end = state.selection.main.head, begin = Math.max(0, end - kMostBack), text = state.sliceDoc(begin, end);
    let depth = 0;
    for (let i = text.length - 1; i >= 0; --i) {
        const c = text[i];
        if (c === ";" && depth === 0) return null;
        if (c === ")") ++depth;
        if (c !== "(" || depth-- > 0) continue;
        const word = /[A-Za-z_]\w*$/.exec(text.slice(0, i).trimEnd());
        return word ? begin + word.index : null;
    }
    return null;
}

/** The first form that has so many arguments, with the one that is typed in bold, and what that one means. */
function draw_call({ forms, meaning, argument }: CallHelp): HTMLElement {
    const { text, arguments: names, meanings } = forms.find((each) => each.arguments.length > argument) ?? forms[forms.length - 1];
    const active = Math.min(argument, names.length - 1), open = text.indexOf("(") + 1;
    let begin = open;
    for (let i = 0; i <= active; ++i) begin = text.indexOf(names[i], i === 0 ? open : begin + names[i - 1].length);
    const end = begin + (names[active]?.length ?? 0), is_found = active >= 0 && begin >= open;
    return element("div", { class: "signature-tip", "data-testid": "signature" },
        element("code", {}, ...(is_found ? [text.slice(0, begin), element("b", {}, text.slice(begin, end)), text.slice(end)] : [text])),
        ...(forms.length > 1 ? [element("span", { class: "faint" }, ` one of ${forms.length} forms`)] : []),
        element("p", {}, ...render_line((is_found && meanings[active]) || meaning)));
}

function is_in_comment(state: EditorState, at: number): boolean {
    const line = state.doc.lineAt(at);
    return line.text.slice(0, at - line.from).includes("#");
}

const option_of = ({ label, kind, detail, documentation }: Answer["completions"][number]): Completion => ({
    label, type: kind, detail: detail || undefined,
    info: documentation ? () => element("div", { class: "help-tip" }, ...render(documentation)) : undefined,
});

/** As much of markdown as the language server writes: paragraphs, code, bold. */
function render(markdown: string): Node[] {
    return markdown.split(/(```[\s\S]*?```)/).flatMap((part): Node[] => {
        if (part.startsWith("```")) return [element("pre", {}, part.replace(/^```[a-z]*\n?/, "").replace(/\n?```$/, ""))];
        return part.split(/\n{2,}/).filter((each) => each.trim()).map((each) => element("p", {}, ...render_line(each)));
    });
}

function render_line(text: string): (Node | string)[] {
    return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) =>
        part.startsWith("`") ? element("code", {}, part.slice(1, -1)) : part.startsWith("**") ? element("b", {}, part.slice(2, -2)) : part);
}

/** From the end of a line that opens a block to the line of its `end`. */
function fold_at(state: EditorState, begin: number, line_end: number): { from: number; to: number } | null {
    const words = (text: string) => text.replace(/#.*/, "").replace(/"[^"]*"/g, "").match(/[A-Za-z_]\w*/g) ?? [];
    const depth_of = (text: string) => words(text).reduce((depth, word) =>
        depth + (word === "def" || word === "for" || word === "if" ? 1 : word === "end" ? -1 : 0), 0);
    let depth = depth_of(state.sliceDoc(begin, line_end));
    if (depth <= 0) return null;
    for (let number = state.doc.lineAt(begin).number + 1; number <= state.doc.lines; ++number) {
        const line = state.doc.line(number);
        depth += depth_of(line.text);
        if (depth <= 0) return { from: line_end, to: state.doc.line(number - 1).to };
    }
    return null;
}

