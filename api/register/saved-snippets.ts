import { getSavedSnippets } from "../personal/saved-snippets.ts";
import { registerSection } from "../register-section.ts";

export const registerSavedSnippets = registerSection({
  fields: { saved_snippets: getSavedSnippets.reply.saved_snippets },
});
