// `sinew view` as a child, on a script of its own in a folder of its own.

import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const kSinew = process.env.SINEW ?? fileURLToPath(new URL("../../build/release/bin/sinew", import.meta.url));
const kExamples = fileURLToPath(new URL("../../examples/", import.meta.url));

/** Opens a copy of an example, or the text that is given; `address` has the token in it. */
export async function start_program(example, options = [], text = readFileSync(join(kExamples, example))) {
    const folder = mkdtempSync(join(tmpdir(), "sinew-view-")), script = join(folder, basename(example));
    writeFileSync(script, text);
    cpSync(join(kExamples, "meshes"), join(folder, "meshes"), { recursive: true });
    const child = spawn(kSinew, ["view", script, "--port", "0", "--no-open", ...options], { cwd: folder });
    const address = await find_address(child);
    const close = async () => {
        if (child.exitCode === null) {
            child.kill("SIGTERM");
            await new Promise((resolve) => child.once("exit", resolve));
        }
        rmSync(folder, { recursive: true, force: true });
    };
    // An address works once; what is printed when one was used is for the next browser.
    const program = { address, script, folder, child, close };
    child.stdout.on("data", (text) => {
        const next = String(text).match(/another browser: (\S+)/);
        if (next) program.address = next[1];
    });
    return program;
}

function find_address(child) {
    return new Promise((resolve, reject) => {
        let said = "";
        const listen = (text) => {
            said += text;
            const found = said.match(/http:\/\/127(\.\d+){3}:\d+\/\?token=\S+/);
            if (found) resolve(found[0]);
        };
        child.stdout.on("data", listen);
        child.stderr.on("data", listen);
        child.once("exit", (code) => reject(new Error(`sinew view ended with ${code}: ${said}`)));
        child.once("error", reject);
    });
}
