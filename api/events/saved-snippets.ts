import { Type } from "typebox";
import { event } from "../event.ts";
import { described } from "../fields.ts";
import { exampleSnippet, savedSnippet } from "../personal/saved-snippets.ts";

export const snippetAdded = event({
  type: "saved_snippets",
  op: "add",
  description: "The user saved a snippet.",
  payload: { saved_snippet: described(savedSnippet, "The new snippet.") },
  example: { saved_snippet: exampleSnippet },
});

export const snippetUpdated = event({
  type: "saved_snippets",
  op: "update",
  description: "The user edited a saved snippet.",
  payload: { saved_snippet: described(savedSnippet, "The snippet as it now is.") },
  example: { saved_snippet: { ...exampleSnippet, title: "Hello" } },
});

export const snippetRemoved = event({
  type: "saved_snippets",
  op: "remove",
  description: "The user deleted a saved snippet.",
  payload: { saved_snippet_id: Type.Integer({ description: "The snippet." }) },
  example: { saved_snippet_id: 3 },
});
