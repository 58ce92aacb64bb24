/** The emoji that can be used here: the server's table, fetched when needed, and the organization's own. */
import type { Emoji } from "../../../client/autocomplete/emoji.ts";
import { readStoredJson, writeStored } from "../state/browser-storage.ts";
import { state } from "../state/state.ts";

const STORED = "parley.emoji";
const MAX_RECENT = 16;
/** Shown as recent before anything was used. */
const FIRST = ["1f44d", "1f389", "1f642", "2764", "1f604", "1f440", "1f680", "2705"];

let table: Promise<Emoji[]> | undefined;

/** A table that did not come is asked for again the next time. */
export async function loadEmoji(): Promise<Emoji[]> {
  table ??= fetchTable();
  try {
    return [...customEmoji(), ...(await table)];
  } catch (error) {
    table = undefined;
    throw error;
  }
}

/** The codes, the one that was used last first. */
export function recentEmoji(): string[] {
  const stored = readStoredJson(STORED);
  return [...new Set([...(Array.isArray(stored) ? stored.map(String) : []), ...FIRST])].slice(0, MAX_RECENT);
}

export function noteEmoji({ code }: Emoji): void {
  const others = recentEmoji().filter((one) => one !== code);
  writeStored(STORED, JSON.stringify([code, ...others]));
}

async function fetchTable(): Promise<Emoji[]> {
  const response = await fetch("/emoji.json");
  if (!response.ok) throw new TypeError(`/emoji.json: ${response.status}`);
  const { code_to_names, categories = [] } = (await response.json()) as EmojiData;
  const category = new Map(categories.flatMap(({ name, codes }) => codes.map((code) => [code, name])));
  // The browser may have kept a table of an older server, without categories.
  const codes = category.size > 0 ? category.keys() : Object.keys(code_to_names);
  return [...codes].map((code) => ({
    ...{ code, names: code_to_names[code] ?? [], type: "unicode_emoji", picture: undefined },
    category: category.get(code) ?? "symbols",
  }));
}

interface EmojiData {
  code_to_names: Record<string, string[]>;
  categories?: { name: string; codes: string[] }[];
}

function customEmoji(): Emoji[] {
  return [...state.model.customEmoji.byId.values()]
    .filter(({ isDeactivated }) => !isDeactivated)
    .map(({ id, name, sourceUrl }) => ({
      ...{ names: [name], code: id, type: "realm_emoji", category: "custom", picture: sourceUrl },
    }));
}
