import type { ChannelId, MessageId } from "../../../api/ids.ts";
import { raisePolicies } from "../../attention/user-topics/actions.ts";
import type { TopicPolicy } from "../../attention/user-topics/policy.ts";
import {
  announceLinks,
  type NewLinks,
  prepareLinks,
  type UploadsOfText,
  writeLinks,
} from "../../content/uploads/links.ts";
import type { MessageLink } from "../../content/uploads/upload.ts";
import { makeKnown } from "../../people/access/guest-contacts.ts";
import { users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Change, runContentChange, runStateChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { messageEntry } from "../delivery/message-log.ts";
import { findNewestSentAt, insertMessagesAfter } from "../model/store.ts";
import { findLinkable } from "../uploads/text-uploads.ts";
import { batchSizesOf, NotForBatch, type Send } from "./batch.ts";
import { writeAdditions } from "./batch-additions-store.ts";

/** The result of a send. */
export interface Sent {
  id: MessageId;
  /** The sender's new policy for the topic, if the send changed it. */
  newPolicy: TopicPolicy | undefined;
}

/**
 * Sends a message together with the topic policies that it changes, the uploads that it links, or the people
 * whom it makes known. Such a message locks and reads other rows first, in a transaction of its own. `check`
 * checks the message again when the organization's memory has changed since.
 */
export async function sendAlone(
  state: OrganizationState,
  checked: Send,
  check: () => Send | Promise<Send>,
): Promise<Sent> {
  let id: MessageId | undefined;
  // The people of whom a guest may know are state: nobody else may change it meanwhile, and hooks announce
  // it.
  const run = checked.contacts === null ? runContentChange : runStateChange;
  const newPolicy = await run(state, async (tx) => {
    const send = checked.stateHead === state.stateHead ? checked : await check();
    if (send.contacts !== null && run === runContentChange) throw new NotForBatch();
    return appendSend(tx, send, {
      posted(written) {
        id = written;
      },
    });
  });
  batchSizesOf(state.database).observe(1);
  return { id: id as unknown as MessageId, newPolicy };
}

export interface SendOptions {
  /** Gets the message's id, before the commit. */
  posted?: (id: MessageId) => void;
  /** In place of the present, for an organization that nobody uses yet: not before its newest message. */
  sentAt?: Date;
}

/**
 * Makes a checked message part of a change. Its id and its event exist once the transaction commits. Returns
 * the sender's new policy for the topic, if the send changes it.
 */
export async function appendSend(
  tx: Change,
  send: Send,
  { posted, sentAt: givenTime }: SendOptions = {},
): Promise<TopicPolicy | undefined> {
  const { state } = tx;
  // LOCK: uploads before policies, as a group of sends has them.
  const links = send.uploads && (await linksOf(tx, send, send.uploads));
  const policy = await changePolicies(tx, send);
  if (send.contacts !== null) await makeKnown(tx, send.contacts);
  let link: MessageLink | undefined;
  tx.appendRows({
    count: 1,
    async write(inner, base) {
      const sentAt = givenTime ?? new Date();
      const id = (base + 1) as MessageId;
      if (givenTime) await checkOrder(inner, state, givenTime);
      await insertMessagesAfter(inner, state.organizationId, base, [send], sentAt);
      // What was said before calls nobody now.
      const calls = givenTime ? null : send.calls;
      const submessage = await writeAdditions(inner, state, id, { ...send, calls });
      link = { messageId: id, sentAt };
      if (links) await writeLinks(inner, state, links, link);
      posted?.(id);
      return [messageEntry(id, send, Math.floor(sentAt.getTime() / 1000), submessage)];
    },
  });
  if (links) announceLinks(tx, links, () => link as MessageLink);
  return policy;
}

/** Ids grow with times. Dates are found by that, and messages expire by it. */
async function checkOrder(tx: Queryable, state: OrganizationState, sentAt: Date): Promise<void> {
  const newest = await findNewestSentAt(tx, state.organizationId);
  if (newest && sentAt < newest) {
    throw new Error("The message is older than the newest one, so it can't come after it.");
  }
}

/** Those that the sender may still read, in this transaction. */
async function linksOf(tx: Change, { senderId }: Send, uploads: UploadsOfText): Promise<NewLinks> {
  const { state } = tx;
  const sender = { state, user: state.get(users).byId.get(senderId) };
  return prepareLinks(tx, [...(await findLinkable(sender, tx, [...uploads.keys()])).values()]);
}

async function changePolicies(tx: Change, send: Send): Promise<TopicPolicy | undefined> {
  const { changes, topicId, recipientId, topic, senderId } = send;
  if (changes === null || topicId === null) return undefined;
  const changed = await raisePolicies(
    tx,
    { id: topicId, channelId: recipientId as ChannelId, name: topic },
    changes,
  );
  return changed.has(senderId) ? changes.find(({ userId }) => userId === senderId)?.policy : undefined;
}
