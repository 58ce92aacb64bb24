/**
 * The key that makes commands of letters: ⌘ on Apple's devices, Ctrl elsewhere. Bindings and texts write it
 * as `Mod`. `Ctrl` in a binding is that key on all of them.
 */
import { t } from "../i18n/t.ts";

export const isApple = /^(Mac|iP)/.test(navigator.platform);

/** Whether the key that was pressed is a command, and no text. */
export function hasModifier(event: KeyboardEvent | MouseEvent): boolean {
  return isApple ? event.metaKey : event.ctrlKey;
}

/**
 * Some layouts have "@" and others on a third level, which programs see as Alt or as Ctrl+Alt. On Apple's
 * keyboards, Option alone is the way to it.
 */
export function isThirdLevel(event: KeyboardEvent): boolean {
  const { altKey, ctrlKey, metaKey } = event;
  return event.getModifierState("AltGraph") || (isApple && altKey && !ctrlKey && !metaKey);
}

const signs: Readonly<Record<string, string>> = isApple
  ? { Mod: "⌘", Ctrl: "⌃", Shift: "⇧", Alt: "⌥" }
  : { Alt: "Alt" };

/** As the keyboard in front of the person has it: `Ctrl+Shift+L`, `⌘⇧L`. */
export function keyText(keys: string): string {
  const nameOf = (key: string) =>
    signs[key] ?? (key === "Mod" || key === "Ctrl" ? t("key.ctrl") : key === "Shift" ? t("key.shift") : key);
  const parts = keys === "+" ? [keys] : keys.split("+").map(nameOf);
  return parts.join(isApple ? "" : "+");
}
