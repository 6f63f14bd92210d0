import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig } from "vite";

// lil-gui's icons come as a font inside its style sheet, which the content security policy refuses; parts.css draws them.
const without_fonts = {
    name: "without-fonts",
    enforce: "pre",
    transform: (code, id) => (id.endsWith("lil-gui.css") ? code.replace(/@font-face\s*\{[^}]*\}/g, "") : undefined),
};

// Beside every script and style sheet the same packed: the program sends it to browsers that unpack it.
const packed = {
    name: "packed",
    writeBundle: ({ dir }) => {
        const folder = join(dir ?? "dist", "assets");
        for (const name of readdirSync(folder).filter((each) => /\.(js|css)$/.test(each)))
            writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
    },
};

// Few files with fixed names: the program embeds them all and serves them by name.
export default defineConfig({
    plugins: [without_fonts, packed],
    build: {
        target: "es2022",
        modulePreload: false,
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 2000,
        cssCodeSplit: false,
        rollupOptions: {
            output: {
                entryFileNames: "assets/viewer.js",
                chunkFileNames: "assets/[name].js",
                assetFileNames: "assets/viewer.[ext]",
                manualChunks: (id) => (id.includes("node_modules/three") ? "three" : id.includes("node_modules/uplot") && id.endsWith("js") ? "plots" : undefined),
            },
        },
    },
});
