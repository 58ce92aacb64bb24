import { registerSection } from "../register-section.ts";
import { getSavedSnippets } from "../saved-snippets.ts";

export const registerSavedSnippets = registerSection({
  fields: { saved_snippets: getSavedSnippets.reply.saved_snippets },
});
