import { registerSavedSnippets } from "../../../api/register/saved-snippets.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { presentSnippet } from "./present.ts";
import { ownSnippets } from "./store.ts";

export const savedSnippetSection = sectionOf(
  registerSavedSnippets,
  async ({ own, wants }) => {
    if (!wants("saved_snippets")) return undefined;
    const snippets = await own(ownSnippets);
    return { saved_snippets: snippets.map(presentSnippet) };
  },
  ownSnippets,
);
