// Light or dark: as the system says until a person says otherwise.

import type { Store } from "./store";

const kKey = "sinew.theme";
export type Theme = "light" | "dark";

export class Themes {
    private readonly system = window.matchMedia("(prefers-color-scheme: dark)");

    constructor(private readonly store: Store) {
        this.system.addEventListener("change", () => this.apply());
    }

    get current(): Theme {
        const chosen = localStorage.getItem(kKey);
        return chosen === "light" || chosen === "dark" ? chosen : this.system.matches ? "dark" : "light";
    }

    toggle(): void {
        localStorage.setItem(kKey, this.current === "dark" ? "light" : "dark");
        this.apply();
    }

    apply(): void {
        document.documentElement.dataset.theme = this.current;
        this.store.emit("theme", this.current);
    }
}

export const style_of_page = () => getComputedStyle(document.documentElement);
