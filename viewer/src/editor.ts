// The script beside the picture: what is typed takes effect as soon as it is sound.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import {
    drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
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
    private readonly editable = new Compartment();
    private timer = 0;

    constructor(container: HTMLElement, private readonly send_script: (text: string) => void, save: () => void) {
        const save_button = element("button", {
            type: "button", class: "button", title: "Save the script (Ctrl+S)", "data-testid": "save-script", click: save,
        }, icon("save"), "Save");
        const host = element("div", { class: "code", "data-testid": "editor" });
        container.append(element("header", {}, this.name, save_button), host, this.notice, this.list);
        const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
        this.view = new EditorView({
            parent: host,
            state: EditorState.create({
                extensions: [
                    EditorView.cspNonce.of(nonce), this.editable.of([]), lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), history(),
                    drawSelection(), bracketMatching(), highlightSelectionMatches(), indentUnit.of("  "), charli,
                    syntaxHighlighting(kColours), lintGutter(),
                    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
                    EditorView.contentAttributes.of({ "aria-label": "Script" }),
                    EditorView.updateListener.of((update) => this.changed(update)),
                ],
            }),
        });
    }

    get text(): string {
        return this.view.state.doc.toString();
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
        this.list.replaceChildren(...problems.map((each) => this.row(each, is_of(each, script))));
        this.notice.hidden = !problems.some((each) => each.severity === "error");
    }

    go_to(line: number, column = 1): void {
        const at = this.position(line, column);
        this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
        this.view.focus();
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
        };
    }

    private row(problem: Problem, is_here: boolean): HTMLElement {
        const place = is_here ? `line ${problem.line}` : `${problem.file}:${problem.line}`;
        return element("li", {}, element("button", {
            type: "button", class: problem.severity, "data-testid": "problem", "data-line": problem.line,
            click: () => { if (is_here) this.go_to(problem.line, problem.column); },
        }, element("b", {}, problem.line > 0 ? place : problem.severity), element("span", {}, problem.message),
            ...(problem.hint ? [element("em", {}, problem.hint)] : [])));
    }
}

const base_name = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const is_of = (problem: Problem, script: string) => !problem.file || base_name(problem.file) === base_name(script);
