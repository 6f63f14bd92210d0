// Colours for scripts: a tokenizer of a few lines. What a script means is said by the program.

import { StreamLanguage, type StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { kBuiltins, kConstants, kDeclaring, kEasings, kKeywords, kUnits } from "./words";

interface State {
    after_def: boolean;
    after_number: boolean;
    in_comment: boolean;
}

function token(stream: StringStream, state: State): string | null {
    if (state.in_comment || stream.match("/*")) {
        state.in_comment = !stream.match(/^.*?\*\//);
        if (state.in_comment) stream.skipToEnd();
        return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    const { after_def, after_number } = state;
    state.after_def = state.after_number = false;
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?/)) {
        state.after_number = true;
        return "number";
    }
    const name = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (!name) {
        stream.next();
        return "operator";
    }
    if (after_def) return "definition";
    state.after_def = name[0] === "def";
    return kind_of(name[0], after_number);
}

function kind_of(name: string, after_number: boolean): string | null {
    if (kDeclaring.has(name)) return "definitionKeyword";
    if (kKeywords.has(name)) return "keyword";
    if (kConstants.has(name)) return "atom";
    if (after_number && kUnits.has(name)) return "unit";
    if (kEasings.has(name)) return "easing";
    return kBuiltins.has(name) ? "builtin" : "variableName";
}

export const charli = StreamLanguage.define<State>({
    name: "charli",
    startState: () => ({ after_def: false, after_number: false, in_comment: false }),
    token,
    languageData: { commentTokens: { line: "#", block: { open: "/*", close: "*/" } }, indentOnInput: /^\s*end$/ },
    tokenTable: {
        definition: tags.definition(tags.name),
        builtin: tags.standard(tags.name),
        unit: tags.unit,
        easing: tags.special(tags.name),
    },
});
