// Fetches a file and checks what it is: node fetch.mjs ADDRESS SHA512-INTEGRITY FILE
// What has another hash is not written. Redirections are followed, within https.
import crypto from "node:crypto";
import fs from "node:fs";
import https from "node:https";

const [address, integrity, file] = process.argv.slice(2);
const kMostRedirections = 5;

function fail(why) {
    console.error(`${address}: ${why}`);
    process.exit(1);
}

function get(url, redirections, done) {
    https.get(url, (answer) => {
        const { statusCode, headers } = answer;
        if (statusCode >= 300 && statusCode < 400 && headers.location && redirections > 0) {
            answer.resume();
            return get(new URL(headers.location, url), redirections - 1, done);
        }
        if (statusCode !== 200) fail(`the server answers ${statusCode}`);
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("end", () => done(Buffer.concat(parts)));
        answer.on("error", (error) => fail(error.message));
    }).on("error", (error) => fail(error.message));
}

get(new URL(address), kMostRedirections, (bytes) => {
    const found = "sha512-" + crypto.createHash("sha512").update(bytes).digest("base64");
    if (found !== integrity) fail(`has the hash ${found}, not ${integrity}`);
    fs.writeFileSync(file, bytes);
});
