// The script beside the picture: what is typed takes effect as soon as it is sound.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { completionKeymap } from "@codemirror/autocomplete";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import {
    drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { assist_extensions } from "./assist";
import type { Assist } from "./assist_questions";
import { charli } from "./charli";
import { element } from "./dom";
import { icon } from "./icons";
import type { Problem } from "./protocol";

const kPause = 200; // [ms] without typing before the script is sent

const kColours = HighlightStyle.define([
    { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
    { tag: tags.string, color: "var(--code-string)" },
    { tag: tags.number, color: "var(--code-number)" },
    { tag: tags.unit, color: "var(--code-unit)" },
    { tag: [tags.keyword, tags.definitionKeyword], color: "var(--code-keyword)", fontWeight: "600" },
    { tag: tags.definition(tags.name), color: "var(--code-definition)", fontWeight: "600" },
    { tag: [tags.standard(tags.name)], color: "var(--code-builtin)" },
    { tag: [tags.special(tags.name), tags.atom], color: "var(--code-easing)" },
    { tag: tags.operator, color: "var(--text-soft)" },
]);

const from_program = Annotation.define<boolean>();

export class Editor {
    private readonly view: EditorView;
    private readonly name = element("h2", { class: "name" }, "Script");
    private readonly notice = element("p", { class: "stays", "data-testid": "last-good", hidden: true, role: "status" },
        "The script has errors: the last good scene stays.");
    private readonly list = element("ul", { class: "problems", "data-testid": "problems", "aria-label": "Problems" });
    private readonly note_list = element("ul", { class: "problems" });
    private readonly note_count = element("summary", { "data-testid": "note-count" });
    private readonly notes = element("details", { class: "notes", hidden: true }, this.note_count, this.note_list);
    private readonly editable = new Compartment();
    private timer = 0;

    constructor(container: HTMLElement, assist: Assist, private readonly send_script: (text: string) => void, save: () => void) {
        const save_button = element("button", {
            type: "button", class: "button", title: "Save the script (Ctrl+S)", "data-testid": "save-script", click: save,
        }, icon("save"), "Save");
        const host = element("div", { class: "code", "data-testid": "editor" });
        container.prepend(element("header", {}, this.name, save_button), host, this.notice, this.list, this.notes);
        const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
        this.view = new EditorView({
            parent: host,
            state: EditorState.create({
                extensions: [
                    EditorView.cspNonce.of(nonce), this.editable.of([]), lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), history(),
                    drawSelection(), bracketMatching(), highlightSelectionMatches(), indentUnit.of("  "), charli,
                    syntaxHighlighting(kColours), lintGutter(), codeFolding(), foldGutter(), EditorView.lineWrapping, assist_extensions(assist),
                    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, indentWithTab]),
                    EditorView.contentAttributes.of({ "aria-label": "Script" }),
                    EditorView.updateListener.of((update) => this.changed(update)),
                ],
            }),
        });
        this.view.scrollDOM.tabIndex = 0; // it can be scrolled without a mouse
    }

    get text(): string {
        return this.view.state.doc.toString();
    }

    /** Where the cursor is, in characters. */
    get cursor(): number {
        return this.view.state.selection.main.head;
    }

    put_cursor(at: number): void {
        this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
        this.view.focus();
    }

    set_name(name: string): void {
        this.name.title = name;
    }

    set_read_only(is_read_only: boolean): void {
        this.view.dispatch({ effects: this.editable.reconfigure(EditorView.editable.of(!is_read_only)) });
    }

    /** The program's text: only what differs is replaced, so that the cursor stays with its words. */
    set_text(text: string): void {
        const old = this.text;
        if (text === old) return;
        let from = 0, end = 0;
        const shorter = Math.min(text.length, old.length);
        while (from < shorter && text[from] === old[from]) ++from;
        while (end < shorter - from && text[text.length - 1 - end] === old[old.length - 1 - end]) ++end;
        this.view.dispatch({
            changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) },
            annotations: from_program.of(true),
        });
        window.clearTimeout(this.timer);
    }

    show_problems(problems: Problem[], script: string): void {
        const here = problems.filter((each) => is_of(each, script));
        const diagnostics = here.filter((each) => each.line > 0).map((each) => this.diagnostic(each));
        this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
        const rows = (is_note: boolean) => problems.filter((each) => (each.severity === "note") === is_note)
            .map((each) => this.row(each, is_of(each, script)));
        const notes = rows(true);
        this.list.replaceChildren(...rows(false));
        this.note_list.replaceChildren(...notes);
        this.note_count.textContent = notes.length === 1 ? "1 note" : `${notes.length} notes`;
        this.notes.hidden = notes.length === 0;
        this.notice.hidden = !problems.some((each) => each.severity === "error");
        // The list takes room from the text: the line that is typed stays in view.
        if (this.view.hasFocus) requestAnimationFrame(() => this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head) }));
    }

    go_to(line: number, column = 1): void {
        const at = this.position(line, column);
        this.put_cursor(at);
        this.view.dispatch({ effects: EditorView.scrollIntoView(at, { y: "center" }) });
    }

    private changed(update: ViewUpdate): void {
        if (!update.docChanged || update.transactions.some((each) => each.annotation(from_program))) return;
        window.clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.send_script(this.text), kPause);
    }

    private position(line: number, column: number): number {
        const { doc } = this.view.state;
        const at = doc.line(Math.min(Math.max(1, line), doc.lines));
        return Math.min(at.to, at.from + Math.max(0, column - 1));
    }

    private diagnostic(problem: Problem): Diagnostic {
        const { doc } = this.view.state, from = this.position(problem.line, problem.column);
        const to = Math.min(doc.lineAt(from).to, from + Math.max(1, problem.length));
        return {
            from, to: Math.max(from, to), severity: problem.severity === "note" ? "info" : problem.severity,
            message: problem.message,
            renderMessage: () => element("div", {}, element("div", {}, problem.message),
                ...(problem.hint ? [element("div", { class: "hint" }, problem.hint)] : [])),
            actions: problem.fix ? [{ name: `write ${problem.fix}`, apply: () => this.fix(problem) }] : [],
        };
    }

    /** Writes what the hint proposes, where the mark is. */
    private fix({ line, column, length, fix }: Problem): void {
        const from = this.position(line, column), to = Math.min(this.view.state.doc.lineAt(from).to, from + length);
        this.view.dispatch({ changes: { from, to, insert: fix }, selection: { anchor: from + (fix?.length ?? 0) } });
        this.view.focus();
    }

    private row(problem: Problem, is_here: boolean): HTMLElement {
        const place = is_here ? `line ${problem.line}` : `${problem.file}:${problem.line}`;
        return element("li", {}, element("button", {
            type: "button", class: problem.severity, "data-testid": "problem", "data-line": problem.line,
            click: () => { if (is_here) this.go_to(problem.line, problem.column); },
        }, element("b", {}, problem.line > 0 ? place : problem.severity), element("span", {}, problem.message),
            ...(problem.hint ? [element("em", {}, problem.hint)] : [])),
            ...(problem.fix && is_here ? [element("button", {
                type: "button", class: "fix", "data-testid": "fix", click: () => this.fix(problem),
            }, `Write ${problem.fix}`)] : []));
    }
}

const base_name = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const is_of = (problem: Problem, script: string) => !problem.file || base_name(problem.file) === base_name(script);

export const make_editor = (...given: ConstructorParameters<typeof Editor>) => new Editor(...given);
