// The TextMate grammar, run by the engine that editors use, against the language's own lexer.
//
//   node grammar_test.mjs SINEW [SEED]
//
// For every script under examples/ and tests/, for lines chosen to be awkward and for random ones:
// each character that is not blank gets the same class from both.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../..");
const program = process.argv[2];
const seed = Number(process.argv[3] ?? Date.now() % 1000000);
if (!program) {
  console.error("usage: node grammar_test.mjs SINEW [SEED]");
  process.exit(2);
}

const require = createRequire(import.meta.url);
let textmate, oniguruma;
try {
  textmate = require("vscode-textmate");
  oniguruma = require("vscode-oniguruma");
} catch {
  console.error(`the TextMate engine is missing: run \`npm ci\` in ${path.relative(".", here) || "."}`);
  process.exit(1);
}

const grammarFile = path.join(root, "editors/textmate/charli.tmLanguage.json");
const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) =>
    scope === "source.charli"
      ? textmate.parseRawGrammar(fs.readFileSync(grammarFile, "utf8"), grammarFile)
      : null,
});
const grammar = await registry.loadGrammar("source.charli");

// --- both sides as one class for each byte

const classes = [
  // scope prefix, class; the first that fits
  ["comment.line.number-sign.charli", "comment"],
  ["comment.block.charli", "comment"],
  ["string.quoted.double.charli", "string"],
  ["constant.numeric.charli", "number"],
  ["keyword.other.unit.charli", "unit"],
  ["support.constant.easing.charli", "easing"],
  ["constant.language.charli", "constant"],
  ["keyword.control.charli", "keyword"],
  ["storage.type.charli", "keyword"],
  ["support.function.charli", "identifier"],
  ["entity.name.function.charli", "identifier"],
  ["variable.other.charli", "identifier"],
  ["keyword.operator.", "punctuation"],
  ["punctuation.", "punctuation"],
  ["invalid.illegal.charli", "unknown"],
];

function classOf(scopes) {
  for (const [prefix, name] of classes)
    if (scopes.some((scope) => scope.startsWith(prefix))) return name;
  return "none";
}

/// Lines with their tokens: [{text, tokens: [{start, end, scopes}]}].
function tokenize(text) {
  let state = textmate.INITIAL;
  return text.split("\n").map((line) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    const tokens = result.tokens.map((t) => ({
      start: t.startIndex,
      end: Math.min(t.endIndex, line.length),
      scopes: t.scopes,
    }));
    return { text: line, tokens };
  });
}

/// Class of each byte as the grammar sees it; blanks are null.
function grammarClasses(text) {
  const out = [];
  for (const { text: line, tokens } of tokenize(text)) {
    const names = new Array(line.length).fill("none");
    for (const token of tokens) names.fill(classOf(token.scopes), token.start, token.end);
    let at = 0;
    for (const character of line) {
      const bytes = Buffer.byteLength(character);
      for (let i = 0; i < bytes; ++i) out.push(isBlank(character) ? null : names[at]);
      at += character.length;
    }
    out.push(null); // the end of the line
  }
  out.pop();
  return out;
}

function isBlank(character) {
  return " \t\r\n\f\v".includes(character);
}

/// Class of each byte as the language sees it.
function lexerClasses(file, bytes) {
  const kinds = new Set("keyword unit easing constant number string identifier punctuation unknown".split(" "));
  const out = new Array(bytes.length).fill("comment"); // what lies between tokens
  const lines = execFileSync(program, ["tokens", file], { encoding: "utf8", maxBuffer: 1 << 28, timeout: 60000 });
  for (const line of lines.split("\n").filter((l) => l)) {
    const match = /^(\d+) (\d+) (\w+)$/.exec(line);
    if (!match || !kinds.has(match[3])) throw new Error(`sinew tokens ${file}: cannot read '${line}'`);
    out.fill(match[3], Number(match[1]), Number(match[1]) + Number(match[2]));
  }
  return out.map((name, i) => (isBlank(String.fromCharCode(bytes[i])) ? null : name));
}

// --- the tests

let checked = 0;
let skipped = 0;
const failures = [];

function fail(message) {
  failures.push(message);
}

function compare(label, file) {
  let bytes = fs.readFileSync(file);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) {
    ++skipped; // not UTF-8: an editor would not show these bytes either
    return;
  }
  let wanted = lexerClasses(file, bytes);
  let plain = text;
  if (text.startsWith("\ufeff")) { // editors take the byte order mark away
    plain = text.slice(1);
    bytes = bytes.subarray(3);
    wanted = wanted.slice(3);
  }
  const found = grammarClasses(plain);
  if (found.length !== wanted.length) return fail(`${label}: ${found.length} bytes against ${wanted.length}`);
  for (let i = 0; i < wanted.length; ++i) {
    if (found[i] === wanted[i]) continue;
    const line = bytes.subarray(0, i).filter((b) => b === 10).length;
    const start = i === 0 ? 0 : bytes.lastIndexOf(10, i - 1) + 1;
    const column = [...bytes.subarray(start, i).toString("utf8")].length + 1;
    return fail(`${label}:${line + 1}:${column}: the language says ${wanted[i]}, the grammar ${found[i]}\n` +
                `    ${plain.split("\n")[line]}`);
  }
  ++checked;
}

function findScripts(folder) {
  const out = [];
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") out.push(...findScripts(full));
    if (entry.isFile() && entry.name.endsWith(".charli")) out.push(full);
  }
  return out.sort();
}

const scripts = ["examples", "tests"].flatMap((f) => findScripts(path.join(root, f)));
for (const script of scripts) compare(path.relative(root, script), script);
if (scripts.length === 0) fail("there is no script under examples/ or tests/");

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "charli-grammar-"));
function compareText(label, text) {
  const file = path.join(scratch, "text.charli");
  fs.writeFileSync(file, text);
  compare(`${label} ${JSON.stringify(text)}`, file);
}

const awkward = [
  "for i in 1..5 m translatex(i); end",
  "1.5.5 1...5 ..5 .5 a.5 a.b a . b 1. .",
  "8e5 8e 8e+ 8e-3x 1E+07 2m 5cm 30deg 3sec 1e5e5 0x10",
  "x2 _a a_ bob_x variable vars ended endx at_ on1 pi2 timer time_ pi time",
  'a = "open', 'a = "two" "three', 'include "parts.charli" as parts;', '"# no comment" # "comment', '""', '"',
  "a==b a!=b a<=b a>=b a<b a>b a=b a=-b !a !!a ! = a===b",
  "def floor mass(1); end; def end def # where\n  name mass(1); end", "def\n\n(x)", "def 1 a", "def vary(i) end",
  "mass(mass = 2); mass == 2; line = line(0,0,0, 1,1,1);",
  "été = 1; x = 3 × 2 − 1; 𝄞 = \"𝄞 é\"; # 𝄞", "aé béc é1 1é", "a\u00a0b \u3000 c\u2028d",
  "$ % & ' : ? @ \\ ^ ` | ~ \u0001 \u007f",
  "\ufeffvar a;\r\na = 1;\r\n# comment\r\n\"open\r\nvar b;", "a\rb # c\rd\ne", "a\fb\vc\td",
  "", "\n\n", "#", "# é\n", "\"a\rb\"",
];
for (const text of awkward) compareText("awkward", text);

// Random lines: pieces of the language side by side, with and without blanks.
let random = seed >>> 0;
function pick(list) {
  random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
  return list[(random >>> 8) % list.length];
}
const pieces = ("var dynamic import param def end at frames along on for in if else include as and or not initial pi time " +
  "mm cm km gram kg ms sec fps deg linear slowin slowout slowinout hold translatex mass sin bob m0 _ a_x x 1 1.0 .5 8e5 " +
  '1e 0 . .. ; , ( ) [ ] { } = == != < <= > >= + - * / ! # " "text" é 𝄞 ~ $ \t \r').split(" ");
for (let round = 0; round < 60; ++round) {
  let text = "";
  for (let i = 0; i < 40; ++i) text += pick(pieces) + pick(["", " ", " ", "\n"]);
  compareText(`random (seed ${seed})`, text);
}
fs.rmSync(scratch, { recursive: true });

// What the lexer does not know: finer scopes.
function scopeOf(text, word) {
  const [line] = tokenize(text);
  const at = line.text.indexOf(word);
  return line.tokens.find((t) => t.start <= at && at < t.end).scopes.at(-1);
}
function expectScope(text, word, scope) {
  const found = scopeOf(text, word);
  if (found !== scope) fail(`'${word}' in '${text}' is ${found}, not ${scope}`);
}
expectScope("def bob mass(1); end;", "def", "storage.type.charli");
expectScope("def bob mass(1); end;", "bob", "entity.name.function.charli");
expectScope("def bob mass(1); end;", "end", "keyword.control.charli");
expectScope("def floor obstacle(); end;", "floor", "entity.name.function.charli");
expectScope("bob mass(mass = 2);", "bob", "variable.other.charli");
expectScope("camera(fov = 2);", "fov", "variable.other.charli");
expectScope("path = line(0,0,0, 1,0,0);", "path", "variable.other.charli");
expectScope("theta = initial(pi, 0);", "initial", "keyword.control.charli");
expectScope("theta = initial(pi, 0);", "pi", "constant.language.charli");
expectScope("{0 at 0 sec slowin 1 at 2 sec}", "sec", "keyword.other.unit.charli");
expectScope("{0 at 0 sec slowin 1 at 2 sec}", "slowin", "support.constant.easing.charli");
const page = execFileSync(program, ["help", "--reference"], { encoding: "utf8", timeout: 60000 });
const words = [...page.matchAll(/^### (\w+)$/gm)].map((m) => m[1]).filter((w) => w !== "initial");
for (const word of words) expectScope(`${word}(1);`, word, "support.function.charli");

if (failures.length > 0) {
  console.error(failures.slice(0, 20).join("\n"));
  console.error(`${failures.length} of ${checked + failures.length} texts differ (seed ${seed})`);
  process.exit(1);
}
console.log(`${checked} texts, of them ${scripts.length - skipped} scripts, and ${words.length} words: alike (seed ${seed})`);
