/** Choices that this browser keeps for the account: what is collapsed, how wide the list is. */
import { type Accessor, createSignal } from "solid-js";
import { readStoredJson, writeStored } from "./browser-storage.ts";
import { state } from "./state.ts";

/** The name is of the choice. What was kept and can't be read is as if it had never been kept. */
export function keptChoice<T>(
  name: string,
  read: (stored: unknown) => T,
): { value: Accessor<T>; keep(value: T): void } {
  const key = `parley.${name}.${state.model.viewer.id}`;
  const [value, setValue] = createSignal<T>(read(readStoredJson(key) ?? null));
  return {
    value,
    keep(next) {
      setValue(() => next);
      writeStored(key, JSON.stringify(next));
    },
  };
}

/** A list of texts, or an empty one. */
export function readTexts(stored: unknown): readonly string[] {
  return Array.isArray(stored) ? stored.map(String) : [];
}
