import { type Static, Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_MESSAGE_LENGTH, MAX_SNIPPET_TITLE_LENGTH, MAX_SNIPPETS } from "../limits.ts";

/** A saved snippet as its owner sees it (spec Saved snippet). */
export const savedSnippet = Type.Object({
  id: Type.Integer({ description: "The snippet's ID." }),
  title: Type.String({ description: "Its title." }),
  content: Type.String({ description: "The text to insert into a message, in Markdown." }),
  date_created: Type.Integer({ description: "When it was saved, in UNIX seconds." }),
});

export type SavedSnippetRecord = Static<typeof savedSnippet>;

export const exampleSnippet: SavedSnippetRecord = {
  id: 3,
  title: "Welcome",
  content: "**Welcome** to the kitchen!",
  date_created: 1700000000,
};

const snippetId = inPath(Type.Integer({ minimum: 0 }), { description: "The caller's snippet." });
const titleRule = `of at most ${MAX_SNIPPET_TITLE_LENGTH} characters, not counting spaces around it. It can't be blank.`;
const contentRule = `in Markdown, of at most ${MAX_MESSAGE_LENGTH} characters, not counting spaces around it. It can't be blank.`;

export const getSavedSnippets = endpoint({
  name: "getSavedSnippets",
  subject: "Saved snippets",
  method: "GET",
  path: "/saved_snippets",
  access: "user",
  summary: "Get own saved snippets",
  description: "Returns the texts that the caller keeps to insert into messages. Nobody else sees them.",
  parameters: {},
  reply: {
    saved_snippets: Type.Array(savedSnippet, { description: "The caller's snippets, the oldest first." }),
  },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { saved_snippets: [exampleSnippet] } },
  sample: () => ({}),
});

export const createSavedSnippet = endpoint({
  name: "createSavedSnippet",
  subject: "Saved snippets",
  method: "POST",
  path: "/saved_snippets",
  access: "user",
  summary: "Save a snippet",
  description: `Saves a text that the caller wants to use again. One person can have at most ${MAX_SNIPPETS} snippets.`,
  parameters: {
    title: required(Type.String(), { description: `Its title, ${titleRule}` }),
    content: required(Type.String(), { description: `The text, ${contentRule}` }),
  },
  reply: { saved_snippet_id: Type.Integer({ description: "The new snippet's ID." }) },
  errors: [errors.blank, errors.personalLimit, errors.overQuota],
  emits: ["saved_snippets/add"],
  example: {
    parameters: { title: "Welcome", content: "**Welcome** to the kitchen!" },
    reply: { saved_snippet_id: 3 },
  },
  sample: (ids) => ({ title: ids.freshName, content: "**Welcome** to the kitchen!" }),
});

export const updateSavedSnippet = endpoint({
  name: "updateSavedSnippet",
  subject: "Saved snippets",
  method: "PATCH",
  path: "/saved_snippets/{saved_snippet_id}",
  access: "user",
  summary: "Edit a saved snippet",
  description: "Changes the title or the text of one of the caller's snippets. What is not given stays.",
  parameters: {
    saved_snippet_id: snippetId,
    title: optional(Type.String(), { description: `Its new title, ${titleRule}` }),
    content: optional(Type.String(), { description: `The new text, ${contentRule}` }),
  },
  reply: {},
  errors: [errors.snippetDoesNotExist, errors.blank],
  emits: ["saved_snippets/update"],
  example: { parameters: { saved_snippet_id: 1, title: "Hello" }, reply: {} },
  sample: (ids) => ({ saved_snippet_id: ids.snippetId, title: "Hello" }),
});

export const deleteSavedSnippet = endpoint({
  name: "deleteSavedSnippet",
  subject: "Saved snippets",
  method: "DELETE",
  path: "/saved_snippets/{saved_snippet_id}",
  access: "user",
  summary: "Delete a saved snippet",
  description: "Deletes one of the caller's snippets.",
  parameters: { saved_snippet_id: snippetId },
  reply: {},
  errors: [errors.snippetDoesNotExist],
  emits: ["saved_snippets/remove"],
  example: { parameters: { saved_snippet_id: 1 }, reply: {} },
  sample: (ids) => ({ saved_snippet_id: ids.snippetId }),
});
