/**
 * Single keys as shortcuts. A region binds its own while it is on the screen; the help lists what is bound.
 * In a field, keys are text.
 */
import { createSignal, onCleanup } from "solid-js";
import type { TextKey } from "../i18n/texts.ts";
import { readStored, writeStored } from "../shared/state/browser-storage.ts";
import { isComposing } from "./is-composing.ts";
import { hasModifier, isApple, isThirdLevel } from "./modifier.ts";

export interface Binding {
  keys: readonly string[];
  label: TextKey;
  /** False: the key was not for it. */
  run(event: KeyboardEvent): unknown;
  /** Also in fields. */
  everywhere?: boolean;
}

const STORED = "parley.single-keys";
const bindings: Binding[] = [];
const [isOn, setOn] = createSignal(readStored(STORED) !== "off");

export { isOn as singleKeysAreOn };

/** WCAG 2.1.4: people who dictate need a way to turn them off. */
export function turnSingleKeys(on: boolean): void {
  writeStored(STORED, on ? "on" : "off");
  setOn(on);
}

export function bindKeys(own: readonly Binding[]): void {
  bindings.push(...own);
  onCleanup(() => {
    for (const binding of own) bindings.splice(bindings.indexOf(binding), 1);
  });
}

export function listBindings(): readonly Binding[] {
  return [...bindings];
}

/** The binding that was added last comes first. */
export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || isComposing(event)) return;
  const name = nameOfKey(event);
  if (name === undefined) return;
  // A dialog whose focused element has gone leaves the focus to the page behind it.
  const isInField =
    document.querySelector("dialog:modal") !== null ||
    (event.target instanceof Element &&
      event.target.closest("input, textarea, select, dialog, [popover]") !== null);
  for (const { keys, everywhere, run } of [...bindings].reverse()) {
    // Where Ctrl is the key of commands, it is written as such.
    const isMeant = keys.includes(name) || (!isApple && keys.includes(name.replace("Mod+", "Ctrl+")));
    if (!isMeant || (isInField && !everywhere)) continue;
    if (!isOn() && name.replace("Shift+", "").length === 1) continue;
    if (run(event) === false) continue;
    event.preventDefault();
    return;
  }
}

/** As bindings write it. undefined: with modifiers that none has. */
function nameOfKey(event: KeyboardEvent): string | undefined {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  const shift = shiftKey && /^[A-Z]$/.test(key) ? "Shift+" : "";
  if (isThirdLevel(event)) return `${shift}${key}`;
  if (altKey || (ctrlKey && metaKey) || (metaKey && !isApple)) return undefined;
  const command = hasModifier(event) ? "Mod+" : ctrlKey ? "Ctrl+" : "";
  return `${command}${shift}${key}`;
}
