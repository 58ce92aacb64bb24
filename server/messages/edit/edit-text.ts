import { isVisible } from "../../../api/hidden-characters.ts";
import type { RenderedMessage } from "../../../markdown/render.ts";
import { Draft, renderTurns } from "../../content/rendering.ts";
import type { UploadsOfText } from "../../content/uploads/links.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import { readContent } from "../../people/viewer/read.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { parseContent } from "../model/content.ts";
import { findLinkable, mayLinkUploads } from "../uploads/text-uploads.ts";

/** Replaces a text that was emptied. */
const EMPTIED = "(deleted)";

/** A message's new text, as it will be stored. */
export interface EditText {
  content: string;
  draft: Draft;
  /** Those that the writer may link. */
  uploads: UploadsOfText;
}

/**
 * Renders the text before the transaction of the edit. Texts wait for their turns, and a transaction that
 * waits holds a connection and the message's row.
 */
export async function prepareText(viewer: Viewer, typed: string): Promise<EditText> {
  const { state } = viewer;
  const content = parseContent(!isVisible(typed) ? EMPTIED : typed);
  const render = (draft: Draft) =>
    renderTurns.run(viewer.user.id, content.length, () =>
      draft.render(state, content, currentViewer(viewer).user),
    );
  const plain = new Draft(content);
  const { facts } = await render(plain);
  if (!mayLinkUploads(content)) return { content, draft: plain, uploads: new Map() };
  const uploads = await readContent(state, viewer, (tx, { user }) =>
    findLinkable({ state, user }, tx, facts.attachmentPaths),
  );
  if (uploads.size === 0) return { content, draft: plain, uploads };
  const draft = new Draft(content, uploads);
  await render(draft);
  return { content, draft, uploads };
}

/** The text by the present permissions. It is rendered again if they, or what it names, have changed. */
export async function renderNow(
  viewer: Viewer,
  tx: Queryable,
  text: EditText,
): Promise<{ rendered: RenderedMessage; uploads: UploadsOfText }> {
  const { state, user } = viewer;
  const { content, draft } = text;
  const rendered = draft.render(state, content, user);
  if (!mayLinkUploads(content)) return { rendered, uploads: text.uploads };
  const uploads = await findLinkable({ state, user }, tx, rendered.facts.attachmentPaths);
  const isSame =
    uploads.size === text.uploads.size && [...uploads.keys()].every((path) => text.uploads.has(path));
  if (isSame) return { rendered, uploads };
  return { rendered: new Draft(content, uploads).render(state, content, user), uploads };
}
