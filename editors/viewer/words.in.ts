// The words of the language. Made by editors/textmate/make_grammar.py; edit editors/viewer/words.in.ts.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const kDeclaring = words(`@DECLARING@`);
export const kKeywords = words(`@KEYWORDS@`);
export const kConstants = words(`@CONSTANTS@`);
export const kUnits = words(`@UNITS@`);
export const kEasings = words(`@EASINGS@`);
export const kBuiltins = words(`@WORDS@`);
