/** Light, dark, or as the system. This browser keeps the account's choice, so that the first paint has it. */
import { createSignal } from "solid-js";
import { readStored, writeStored } from "../state/browser-storage.ts";

export type Theme = "light" | "dark" | "system";

const STORED = "parley.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const [theme, setSignal] = createSignal<Theme>(read());

export { theme };

export function setTheme(chosen: Theme): void {
  if (chosen === theme() && readStored(STORED) === chosen) return;
  writeStored(STORED, chosen);
  setSignal(chosen);
  apply();
}

export function watchSystemTheme(): void {
  dark.addEventListener("change", apply);
}

/** For one frame nothing fades, or texts would pass through colours without contrast. */
function apply(): void {
  const root = document.documentElement;
  root.classList.add("switching");
  const chosen = theme();
  root.dataset.theme = chosen === "system" ? (dark.matches ? "dark" : "light") : chosen;
  requestAnimationFrame(() => requestAnimationFrame(() => root.classList.remove("switching")));
}

function read(): Theme {
  const stored = readStored(STORED);
  return stored === "light" || stored === "dark" ? stored : "system";
}
