import type { Narrow } from "../../../client/narrow.ts";
import type { SearchFlaw } from "../../../client/search/flaws.ts";
import { latePart } from "../../i18n/lazy-part.ts";
import { state } from "../state/state.ts";

const language = latePart(async () => (await import("./search-language-parts.ts")).searchLanguage);

/** Reads and writes searches. A view of a search is shown when this is there. */
export const loadSearchLanguage = language.need;

/** A search as people type it. */
export function searchText(narrow: Narrow): string {
  const parts = language.part();
  return parts?.formatSearch({ narrow, near: undefined }, parts.namesOf(state.model)) ?? "";
}

/** Why a search can't be answered. */
export function findFlaw(narrow: Narrow): SearchFlaw | undefined {
  return language.part()?.findFlaw(narrow, state.model);
}
