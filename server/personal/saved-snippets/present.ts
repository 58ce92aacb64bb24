import type { SavedSnippetRecord } from "../../../api/personal/saved-snippets.ts";
import type { Snippet } from "./store.ts";

export function presentSnippet({ id, title, content, createdAt }: Snippet): SavedSnippetRecord {
  return { id, title, content, date_created: Math.floor(createdAt.getTime() / 1000) };
}
