/** Texts that were not sent yet, by conversation, kept in this browser for the account that wrote them. */
import { state } from "./state.ts";

const MAX_DRAFTS = 100;

function storageKey(): string {
  return `parley.drafts.${state.model.viewer.id}`;
}

function read(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(storageKey()) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

export function draftOf(key: string): string {
  return read()[key] ?? "";
}

/** An empty text removes the draft. The oldest go when there are too many. */
export function keepDraft(key: string, text: string): void {
  const { [key]: _old, ...others } = read();
  const kept = Object.entries(others).slice(-(MAX_DRAFTS - 1));
  const all = text.trim() === "" ? kept : [...kept, [key, text] as const];
  localStorage.setItem(storageKey(), JSON.stringify(Object.fromEntries(all)));
}
