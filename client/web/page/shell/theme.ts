// Light or dark: the system's choice until the user makes one.

import { effect, signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";

const STORAGE_KEY = "kibitz.theme";
const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

export const theme = signal<Theme>(readTheme(localStorage.getItem(STORAGE_KEY)));

function readTheme(stored: string | null): Theme {
  return stored === "light" || stored === "dark" ? stored : "auto";
}

export function nextTheme(): void {
  theme.value = NEXT[theme.value];
}

export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    localStorage.setItem(STORAGE_KEY, theme.value);
  });
}
