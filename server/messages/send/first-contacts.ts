/**
 * Direct messages that make people known to guests, where the organization limits whom guests may know of.
 * Whom a guest knows is state, so those that wait when the state lock is granted share a transaction under
 * it.
 */
import type { MessageId, Position } from "../../../api/ids.ts";
import { type Contact, makeKnown } from "../../people/access/guest-contacts.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { NotForGroup } from "../../platform/log/grouped-change.ts";
import type { GroupedStateChange } from "../../platform/log/grouped-state-change.ts";
import type { LogEntry } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { messageEntry } from "../delivery/message-log.ts";
import { insertMessagesAfter } from "../model/store.ts";
import { batchSizesOf, NotForBatch, type Send } from "./batch.ts";
import { hasAdditions, writeAdditions } from "./batch-additions-store.ts";
import { checkedNow, type SendInGroup } from "./grouped-send.ts";
import type { Sent } from "./send-alone.ts";

/**
 * As `sendAlone`. Throws NotForGroup for what needs further looks into the database, and NotForBatch for a
 * message that makes nobody known any more.
 */
export const firstContacts: GroupedStateChange<SendInGroup, Send, Sent> = {
  keysOf: () => [],
  sizeOf: ({ send }) => send.content.length + send.renderedContent.length,
  decide(request) {
    const send = checkedNow(request);
    if (send.contacts === null) throw new NotForBatch();
    // Others may hold the files that it links, and who has the turn to commit must not wait for them.
    if (send.uploads !== null) throw new NotForGroup();
    return send;
  },
  async make(tx, sends) {
    await makeKnown(tx, contactsOf(sends));
    const answers = sends.map((): Sent => ({ id: 0 as MessageId, newPolicy: undefined }));
    tx.appendRows({
      count: sends.length,
      write: (inner, base) => writeMessages(inner, tx.state, base, sends, answers),
    });
    return answers;
  },
};

/** Each once, though several messages of a group may make somebody known to one guest. */
function contactsOf(sends: readonly Send[]): Contact[] {
  const contacts = new Map<string, Contact>();
  for (const contact of sends.flatMap((send) => send.contacts ?? [])) contacts.set(contact.join(), contact);
  return [...contacts.values()];
}

/** Gives the answers their ids. */
async function writeMessages(
  tx: Queryable,
  state: OrganizationState,
  base: Position,
  sends: readonly Send[],
  answers: readonly Sent[],
): Promise<LogEntry[]> {
  const sentAt = new Date();
  await insertMessagesAfter(tx, state.organizationId, base, sends, sentAt);
  const entries: LogEntry[] = [];
  for (const [index, send] of sends.entries()) {
    const id = (base + index + 1) as MessageId;
    const submessage = hasAdditions(send) ? await writeAdditions(tx, state, id, send) : null;
    (answers[index] as Sent).id = id;
    entries.push(messageEntry(id, send, Math.floor(sentAt.getTime() / 1000), submessage));
  }
  batchSizesOf(state.database).observe(sends.length);
  return entries;
}
