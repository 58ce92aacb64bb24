import { registerSavedSnippets } from "../../../api/register/saved-snippets.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { presentSnippet } from "./present.ts";
import { listSnippets } from "./store.ts";

export const savedSnippetSection = sectionOf(registerSavedSnippets, async ({ state, viewer, tx, wants }) => {
  if (!wants("saved_snippets")) return undefined;
  const own = viewer ? await listSnippets(tx, state.organizationId, viewer.user.id) : [];
  return { saved_snippets: own.map(presentSnippet) };
});
