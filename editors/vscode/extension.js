// Starts `sinew lsp` and leaves the rest to VS Code's client of the protocol.
"use strict";

const vscode = require("vscode");

let client;

async function activate() {
  let LanguageClient;
  try {
    ({ LanguageClient } = require("vscode-languageclient/node"));
  } catch {
    vscode.window.showWarningMessage("CHARLI: colours only. For the language server run `npm ci` in the extension's folder.");
    return;
  }
  const command = vscode.workspace.getConfiguration("charli").get("sinew", "sinew");
  client = new LanguageClient("charli", "CHARLI", { command, args: ["lsp"] },
                              { documentSelector: [{ language: "charli" }] });
  try {
    await client.start();
  } catch (fault) {
    vscode.window.showWarningMessage(`CHARLI: '${command} lsp' did not start: ${fault.message}. Set charli.sinew to the program.`);
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
