/**
 * Previews of linked pages. A send or an edit that links to pages leaves a job behind, in its transaction.
 * The job fetches what is not known yet in the background, so that slow hosts don't occupy a job worker. Then
 * the message is rendered again, under the lock that edits take: the text of that moment counts. People get
 * an event that changes the HTML and nothing else.
 *
 * During the fetch, a job for later waits under the same key, in case this node dies. An edit puts its own
 * job in the place of that one. This job leaves it alone unless everything that the new text links to is
 * known.
 */
import { Type } from "typebox";
import type { MessageId, OrganizationId } from "../../../api/ids.ts";
import { fetchPages, findPages } from "../../content/external-content/linked-pages.ts";
import { Draft, renderContent, renderTurns } from "../../content/rendering.ts";
import { findUploadsOfMessage } from "../../content/uploads/links.ts";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { cancel, enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { lockMessages } from "../delete/store.ts";
import { announceRendering } from "../delivery/update-event.ts";
import { updateRendering } from "../edit/store.ts";
import type { FetchedRow } from "../model/message.ts";
import { hasFlag, messageFacts } from "../model/message.ts";
import { listFetched } from "../query/fetch.ts";
import { pagesOf, renderWithPages } from "./linked-pages.ts";

/** A fetch that takes longer is considered lost with its node. */
const LEASE_MS = 60_000;
/** How long a job waits when there is no room for more fetches. */
const BUSY_MS = 5_000;
/** After this many tries the links stay without previews. */
const MAX_TRIES = 5;

export const showLinkPreviews = defineJob({
  name: "show_link_previews",
  payload: Type.Object({
    organizationId: Type.Integer(),
    messageId: Type.Integer(),
    tries: Type.Integer(),
  }),
  async run(
    services: Pick<Services, "config" | "database" | "log" | "organizations" | "outbound">,
    { organizationId, messageId, tries },
  ) {
    const state = await services.organizations.byId(organizationId as OrganizationId);
    await begin(services, state, messageId as MessageId, tries);
  },
});

/** To be called in the transaction that writes the text. At most one job of a message waits. */
export async function enqueuePreviews(
  tx: Queryable,
  { organizationId }: OrganizationState,
  messageId: MessageId,
  { tries = 0, delayMs = 0 } = {},
): Promise<void> {
  const runAt = delayMs === 0 ? {} : { runAt: new Date(Date.now() + delayMs) };
  const payload = { organizationId, messageId, tries };
  await enqueue(tx, showLinkPreviews, payload, { key: keyOf(organizationId, messageId), ...runAt });
}

function keyOf(organizationId: OrganizationId, messageId: MessageId): string {
  return `${organizationId}:${messageId}`;
}

async function begin(
  services: Pick<Services, "config" | "database" | "log" | "organizations" | "outbound">,
  state: OrganizationState,
  messageId: MessageId,
  tries: number,
): Promise<void> {
  const { outbound, database, log } = services;
  const prepared = await prepare(state, messageId);
  if (!prepared) return;
  const look = (tx: Queryable) => findLinked(state, tx, messageId, prepared);
  const urls = await database.transaction(look, { lane: "background" });
  if (urls.length === 0 || tries >= MAX_TRIES || !state.get(organization).isActive) return;
  const known = await findPages(database, state, urls);
  if (urls.every((url) => known.has(url))) return showPages(state, messageId);
  // The jobs that wait come back at different times.
  const later = (delayMs: number) =>
    enqueuePreviews(database, state, messageId, { tries: tries + 1, delayMs: delayMs * (1 + Math.random()) });
  if (!outbound.hasRoom(state.organizationId)) return later(BUSY_MS);
  await later(LEASE_MS);
  outbound.begin(state.organizationId, async () => {
    try {
      const isComplete = await fetchPages(services, state, urls);
      await showPages(state, messageId);
      if (!isComplete) await later(BUSY_MS);
    } catch (error) {
      log.error({ err: error }, "previews of links could not be shown; it will be tried again");
    }
  });
}

/** The pages of the message as it is now. */
async function findLinked(
  state: OrganizationState,
  tx: Queryable,
  messageId: MessageId,
  prepared: Prepared,
): Promise<readonly string[]> {
  const found = await findMessage(state, tx, messageId);
  if (!found) return [];
  const { plain } = await render(state, tx, found, prepared);
  return pagesOf(state, found.sender, plain.facts);
}

interface ShownMessage {
  row: FetchedRow;
  sender: User;
}

/** undefined: it is gone, or it is not shown as its text. */
async function findMessage(
  state: OrganizationState,
  tx: Queryable,
  messageId: MessageId,
): Promise<ShownMessage | undefined> {
  const [row] = await listFetched(tx, state.organizationId, undefined, messageId);
  const sender = row && state.get(users).byId.get(row.senderId);
  return sender && !hasFlag(row.facts, messageFacts.isWidget) ? { row, sender } : undefined;
}

/** A message's text as it was, rendered. */
interface Prepared {
  content: string;
  draft: Draft;
}

/**
 * Renders the text before the transactions. Texts wait for their turns, and a transaction that waits holds a
 * connection and the message's row.
 */
async function prepare(state: OrganizationState, messageId: MessageId): Promise<Prepared | undefined> {
  const look = (tx: Queryable) => findMessage(state, tx, messageId);
  const found = await state.database.transaction(look, { lane: "background" });
  if (!found) return undefined;
  const { content } = found.row;
  const draft = new Draft(content);
  await renderTurns.run(found.sender.id, content.length, () => draft.render(state, content, found.sender));
  return { content, draft };
}

/** The text without previews of pages, and what it is rendered with. It may have been edited meanwhile. */
async function render(
  state: OrganizationState,
  tx: Queryable,
  { row, sender }: ShownMessage,
  prepared: Prepared | undefined,
) {
  const { content } = row;
  const draft = prepared?.content === content ? prepared.draft : new Draft(content);
  const plain = draft.render(state, content, sender);
  const uploads = await findUploadsOfMessage(tx, state, row.id, plain.facts.attachmentPaths);
  const context = { writer: sender, uploads };
  return { context, plain: uploads.size === 0 ? plain : renderContent(state, content, context) };
}

/**
 * Shows what is known of the pages that a message links to. Its history, its times and everybody's flags stay
 * as they are. LOCK: the message's row, as for an edit.
 */
export async function showPages(state: OrganizationState, messageId: MessageId): Promise<void> {
  const { organizationId } = state;
  const prepared = await prepare(state, messageId);
  await runContentChange(state, async (tx) => {
    await lockMessages(tx, organizationId, [messageId]);
    const found = await findMessage(state, tx, messageId);
    if (!found) return;
    const { row, sender } = found;
    const { context, plain } = await render(state, tx, found, prepared);
    const urls = pagesOf(state, sender, plain.facts);
    const known = await findPages(tx, state, urls);
    if (urls.every((url) => known.has(url)))
      await cancel(tx, showLinkPreviews, keyOf(organizationId, messageId));
    const { html } = await renderWithPages(tx, state, row.content, context, plain);
    if (html === plain.html || html === row.renderedContent) return;
    await updateRendering(tx, organizationId, messageId, html);
    await announceRendering(tx, row, html);
  });
}
