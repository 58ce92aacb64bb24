import { ApiError, errors } from "../../../api/errors.ts";
import { snippetAdded, snippetRemoved, snippetUpdated } from "../../../api/events/saved-snippets.ts";
import { MAX_MESSAGE_LENGTH, MAX_SNIPPET_TITLE_LENGTH, MAX_SNIPPETS } from "../../../api/limits.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { lockOwnLists } from "../../people/viewer/own-lists.ts";
import { parseOwnText } from "../../people/viewer/own-text.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { presentSnippet } from "./present.ts";
import {
  countSnippets,
  deleteSnippet,
  findSnippet,
  insertSnippet,
  type Snippet,
  updateSnippet,
} from "./store.ts";

/** Saves a snippet of the viewer, whose clients get an event. */
export async function createSavedSnippet(
  tx: ViewerChange,
  request: Pick<Snippet, "title" | "content">,
): Promise<Snippet> {
  const { organizationId } = tx.state;
  const { id: userId } = tx.viewer.user;
  const texts = { title: parseTitle(request.title), content: parseContent(request.content) };
  await lockOwnLists(tx, userId);
  if ((await countSnippets(tx, organizationId, userId)) >= MAX_SNIPPETS) {
    throw new ApiError(errors.personalLimit, { what: "saved snippets", limit: MAX_SNIPPETS });
  }
  const snippet = await insertSnippet(tx, organizationId, userId, texts);
  tx.append(snippetAdded, { saved_snippet: presentSnippet(snippet) }, toUsers([userId]));
  return snippet;
}

/**
 * Changes the given texts of a snippet of the viewer (spec E9). The viewer's clients get an event if
 * something differs.
 */
export async function updateSavedSnippet(
  tx: ViewerChange,
  id: number,
  request: { title: string | undefined; content: string | undefined },
): Promise<void> {
  const { id: userId } = tx.viewer.user;
  const before = await accessSnippet(tx, id);
  const after = {
    ...before,
    title: request.title === undefined ? before.title : parseTitle(request.title),
    content: request.content === undefined ? before.content : parseContent(request.content),
  };
  if (after.title === before.title && after.content === before.content) return;
  await updateSnippet(tx, tx.state.organizationId, userId, after);
  tx.append(snippetUpdated, { saved_snippet: presentSnippet(after) }, toUsers([userId]));
}

/** Deletes a snippet of the viewer, whose clients get an event. */
export async function deleteSavedSnippet(tx: ViewerChange, id: number): Promise<void> {
  const { id: userId } = tx.viewer.user;
  const snippet = await accessSnippet(tx, id);
  await deleteSnippet(tx, tx.state.organizationId, userId, snippet.id);
  tx.append(snippetRemoved, { saved_snippet_id: snippet.id }, toUsers([userId]));
}

/** The viewer's snippet. Another person's is treated as one that does not exist. */
async function accessSnippet(tx: ViewerChange, id: number): Promise<Snippet> {
  const { id: userId } = tx.viewer.user;
  await lockOwnLists(tx, userId);
  const snippet = await findSnippet(tx, tx.state.organizationId, userId, id);
  if (!snippet) throw new ApiError(errors.snippetDoesNotExist);
  return snippet;
}

const parseTitle = (text: string) => parseOwnText("title", text, MAX_SNIPPET_TITLE_LENGTH);
const parseContent = (text: string) => parseOwnText("content", text, MAX_MESSAGE_LENGTH);
