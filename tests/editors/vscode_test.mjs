// The VS Code extension with the real client of the protocol and the real server; only the editor
// itself is played by a few lines.
//
//   node vscode_test.mjs SINEW      (after `npm ci` in editors/vscode)

import assert from "node:assert/strict";
import fs from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const folder = path.join(root, "editors/vscode");
const program = process.argv[2] && path.resolve(process.argv[2]);
if (!program) {
  console.error("usage: node vscode_test.mjs SINEW");
  process.exit(2);
}
if (!fs.existsSync(path.join(folder, "node_modules/vscode-languageclient"))) {
  console.error("the client is missing: run `npm ci` in editors/vscode");
  process.exit(1);
}
const limit = setTimeout(() => {
  console.error("vscode_test.mjs: not finished within 30 s");
  process.exit(1);
}, 30000);

// --- the editor, as far as the client looks

class Emitter {
  #listeners = [];
  event = (listener, self) => {
    this.#listeners.push(self ? listener.bind(self) : listener);
    return { dispose() {} };
  };
  fire(what) {
    for (const listener of [...this.#listeners]) listener(what);
  }
  dispose() {}
}
class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(a, b, c, d) {
    [this.start, this.end] = typeof a === "number" ? [new Position(a, b), new Position(c, d)] : [a, b];
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}
class Uri {
  constructor(text) {
    Object.assign(this, { text, scheme: text.split(":")[0], fsPath: decodeURIComponent(text.replace(/^\w+:\/\//, "")) });
  }
  static parse(text) {
    return new Uri(text);
  }
  toString() {
    return this.text;
  }
}
const events = {};
function event(name) {
  events[name] = new Emitter();
  return events[name].event;
}
const shown = new Map(); // problems by address
const providers = {};
const said = [];
const nothing = () => ({ dispose() {} });
const document = {
  uri: new Uri("file:///nowhere/%C3%A9/script.charli"), languageId: "charli", version: 1, isClosed: false,
  text: 'param p = 1 "é𝄞"; def bob mass(1); end; bob translutex(1);\n',
  getText() {
    return this.text;
  },
};
const known = {
  version: "1.90.0",
  EventEmitter: Emitter, Position, Range, Diagnostic, Uri,
  CancellationError: class extends Error {},
  CancellationTokenSource: class {
    token = { isCancellationRequested: false, onCancellationRequested: nothing };
    cancel() {}
    dispose() {}
  },
  Disposable: class {
    dispose() {}
  },
  MarkdownString: class {
    constructor(value = "") {
      this.value = value;
    }
    appendMarkdown(text) {
      this.value += text;
      return this;
    }
  },
  Hover: class {
    constructor(contents, range) {
      Object.assign(this, { contents, range });
    }
  },
  CompletionItem: class {
    constructor(label) {
      this.label = label;
    }
  },
  CodeActionKind: { Empty: { append: (part) => ({ value: part }) }, QuickFix: { value: "quickfix" } },
  Location: class {
    constructor(uri, range) {
      Object.assign(this, { uri, range });
    }
  },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  env: { language: "en", appName: "test", appRoot: "/" },
  workspace: {
    textDocuments: [document], workspaceFolders: undefined, name: undefined, notebookDocuments: [],
    getConfiguration: () => ({ get: (name, fallback) => (name === "sinew" ? program : fallback) }),
    createFileSystemWatcher: () => ({ onDidCreate: nothing, onDidChange: nothing, onDidDelete: nothing, dispose() {} }),
  },
  window: {
    visibleTextEditors: [{ document }], activeTextEditor: { document },
    tabGroups: { all: [], onDidChangeTabs: event("tabs"), onDidChangeTabGroups: event("tabGroups") },
    createOutputChannel: () => ({ append: (t) => said.push(t), appendLine: (t) => said.push(t), show() {}, dispose() {}, clear() {} }),
    showWarningMessage: async (text) => void said.push(text),
    showErrorMessage: async (text) => void said.push(text),
  },
  languages: {
    match: (selector, of) => [selector].flat().some((s) => s.language === of.languageId) ? 10 : 0,
    createDiagnosticCollection: () => ({
      set: (uri, list) => shown.set(uri.toString(), list ?? []),
      delete: (uri) => shown.delete(uri.toString()),
      clear: () => shown.clear(), dispose() {}, get: () => [], has: () => false, forEach() {},
    }),
  },
};
/// What is not in `known`: events that never happen, classes without content, functions that do nothing.
function guess(where, name) {
  if (/^on(Did|Will)/.test(name)) return event(`${where}.${name}`);
  if (/^register/.test(name))
    return (...given) => {
      providers[name] = given.find((g) => g && typeof g === "object" && Object.keys(g).some((k) => k.startsWith("provide")));
      return { dispose() {} };
    };
  if (/^[A-Z]/.test(name)) return where ? 0 : new Proxy(class {}, { get: (t, k) => (k in t || typeof k === "symbol" ? t[k] : 0) });
  return undefined;
}
function completed(where, of) {
  return new Proxy(of, {
    get(target, name) {
      if (typeof name === "symbol" || name === "then" || name === "__esModule") return target[name];
      if (!(name in target)) target[name] = guess(where, name);
      return target[name];
    },
  });
}
for (const part of ["workspace", "window", "languages"]) known[part] = completed(part, known[part]);
known.commands = completed("commands", {});
const vscode = completed("", known);

const load = Module._load;
Module._load = function (request, ...more) {
  return request === "vscode" ? vscode : load.call(this, request, ...more);
};

// --- the test

async function until(what, is) {
  for (let i = 0; i < 500; ++i) {
    if (is()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`${what} did not come within 5 s; ${said.join("; ")}`);
}

const extension = createRequire(import.meta.url)(path.join(folder, "extension.js"));
await extension.activate();
assert.deepEqual(said, []);

const uri = document.uri.toString();
await until("the problems", () => shown.get(uri)?.length > 0);
const [problem] = shown.get(uri);
assert.match(problem.message, /did you mean 'translatex'/);
const wrong = document.text.indexOf("translutex");
assert.deepEqual({ ...problem.range.start }, { line: 0, character: wrong });

const token = { isCancellationRequested: false, onCancellationRequested: nothing };
const items = await providers.registerCompletionItemProvider.provideCompletionItems(document, new Position(0, wrong + 2), token, {});
assert.deepEqual((items.items ?? items).map((i) => i.label.label ?? i.label), ["translatex", "translatey", "translatez", "translate"]);
const hover = await providers.registerHoverProvider.provideHover(document, new Position(0, document.text.indexOf("mass")), token);
assert.match(JSON.stringify(hover), /point with mass/);

// Typing: the mended word is sent as a change, and the problem goes.
const at = wrong + 6;
document.text = document.text.replace("translutex", "translatex");
document.version = 2;
const range = new Range(0, at, 0, at + 1);
events["workspace.onDidChangeTextDocument"].fire({
  document, reason: undefined, contentChanges: [{ range, rangeOffset: at, rangeLength: 1, text: "a" }],
});
await until("the end of the problems", () => shown.get(uri)?.length === 0);

await extension.deactivate();
clearTimeout(limit);

// What the extension's description names exists.
const description = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
const { languages, grammars } = description.contributes;
for (const file of [description.main, languages[0].configuration, grammars[0].path])
  assert.ok(fs.existsSync(path.join(folder, file)), file);
const rules = JSON.parse(fs.readFileSync(path.join(folder, languages[0].configuration), "utf8"));
const { increaseIndentPattern, decreaseIndentPattern } = rules.indentationRules;
for (const line of ["def bob", "  for i in 1..3", "if n > 3  # end", "else"]) assert.match(line, new RegExp(increaseIndentPattern));
for (const line of ["def bob mass(1); end;", "bob;", "# def bob"]) assert.doesNotMatch(line, new RegExp(increaseIndentPattern));
for (const line of ["end;", "  else"]) assert.match(line, new RegExp(decreaseIndentPattern));
console.log("extension: problems, completion, hover and changes arrive");
