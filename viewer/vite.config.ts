import { defineConfig, type Plugin } from "vite";

// lil-gui's icons come as a font inside its style sheet, which the content security policy refuses; parts.css draws them.
const without_fonts: Plugin = {
    name: "without-fonts",
    enforce: "pre",
    transform: (code, id) => (id.endsWith("lil-gui.css") ? code.replace(/@font-face\s*\{[^}]*\}/g, "") : undefined),
};

// Few files with fixed names: the program embeds them all and serves them by name.
export default defineConfig({
    plugins: [without_fonts],
    build: {
        target: "es2022",
        modulePreload: false,
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 2000,
        rollupOptions: {
            output: {
                entryFileNames: "assets/viewer.js",
                chunkFileNames: "assets/[name].js",
                assetFileNames: "assets/viewer.[ext]",
            },
        },
    },
});
