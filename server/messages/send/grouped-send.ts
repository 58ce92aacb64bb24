/** Messages that link uploads or change topic policies, as changes that share transactions. */
import type { ChannelId, MessageId } from "../../../api/ids.ts";
import { GroupedPolicies, policyLocks, writeRaised } from "../../attention/user-topics/grouped-policies.ts";
import { type PolicyWrite, topicPolicies } from "../../attention/user-topics/policy.ts";
import { BatchLinks, type LinkingMessage, uploadLocks } from "../../content/uploads/grouped-links.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { EventSink } from "../../platform/log/event-list.ts";
import { type GroupedChange, NotForGroup } from "../../platform/log/grouped-change.ts";
import type { LogEntry } from "../../platform/log/log-entry.ts";
import type { OwnRows } from "../../platform/log/row-batch.ts";
import { messageEntry } from "../delivery/message-log.ts";
import type { FoundClaim } from "../uploads/claim-store.ts";
import { claimedIds, claimsQuery, linkClaimed } from "../uploads/claims.ts";
import { batchSizesOf, type Send } from "./batch.ts";
import { type AddingRange, submessagesOf } from "./batch-additions-store.ts";
import { insertLinkingMessages } from "./grouped-store.ts";
import type { Sent } from "./send-alone.ts";

export interface SendInGroup {
  viewer: Viewer;
  /** As it was checked last. */
  send: Send;
  /** Checks it again with the uploads that it links already. Throws as `send` does. */
  again(): Send | Promise<Send>;
}

/** What the message links or changes is no longer as it was when it was prepared. */
export class PrepareAgain extends Error {}

interface SendWrite {
  viewer: Viewer;
  send: Send;
  links: LinkingMessage;
  policies: readonly PolicyWrite[];
  /** Gets the message's id at the commit. */
  sent: Sent;
}

/** More people's policies, such as those of a large group, are changed by a message alone. */
const MAX_POLICIES = 64;
/** What is read and written for an upload counts as much, and for a policy. */
const SIZE_OF_UPLOAD = 4096;
const SIZE_OF_POLICY = 512;

/**
 * As `sendAlone`, for a message that makes nobody known to guests. Throws NotForGroup for what needs further
 * looks into the database, and PrepareAgain.
 */
export const groupedSend: GroupedChange<SendInGroup, FoundClaim, GroupedPolicies, SendWrite, Sent> = {
  // After all that locks messages, as an edit does which links uploads.
  name: "user send",
  keysOf: () => [],
  sizeOf: ({ send }) =>
    send.content.length +
    send.renderedContent.length +
    SIZE_OF_UPLOAD * (send.uploads?.size ?? 0) +
    SIZE_OF_POLICY * (send.changes?.length ?? 0),
  check(request) {
    const { contacts, changes } = checkedNow(request);
    const unmutes = changes?.some(({ from }) => from === topicPolicies.muted);
    if (contacts !== null || unmutes || (changes?.length ?? 0) > MAX_POLICIES) throw new NotForGroup();
  },
  locks: [
    uploadLocks<SendInGroup>(({ send }) => claimedIds(send)),
    ...policyLocks<SendInGroup>(({ send: { topicId, changes } }) =>
      topicId !== null && changes !== null ? { topicId, changes } : undefined,
    ),
  ],
  find: (organizationId, requests) =>
    claimsQuery(
      organizationId,
      requests.map(({ send }) => send),
    ),
  share: (_, held) => new GroupedPolicies(held),
  decide({ viewer, send }, found, policies, events) {
    const { state, user } = currentViewer(viewer);
    const links = linkClaimed({ state, user }, send, found);
    if (!links) throw new PrepareAgain();
    const raised = raise(send, policies, events);
    // `rows` gives it the id.
    const sent = { id: 0 as MessageId, newPolicy: raised.find(({ userId }) => userId === user.id)?.policy };
    return { writes: [{ viewer, send, links, policies: raised, sent }], answer: sent };
  },
  write: (organizationId, writes) =>
    writeRaised(
      organizationId,
      writes.flatMap(({ policies }) => policies),
    ),
  rows: (writes) => new GroupedSends(writes),
};

/** The message as memory has it now. Throws NotForGroup if the database must be asked for that. */
export function checkedNow(request: SendInGroup): Send {
  if (request.send.stateHead === request.viewer.state.stateHead) return request.send;
  const send = request.again();
  if (send instanceof Promise) {
    // The one who sends alone asks again.
    send.catch(() => {});
    throw new NotForGroup();
  }
  request.send = send;
  return send;
}

function raise(send: Send, policies: GroupedPolicies, events: EventSink): PolicyWrite[] {
  const { topicId, recipientId, topic, changes } = send;
  if (topicId === null || changes === null) return [];
  const place = { id: topicId, channelId: recipientId as ChannelId, name: topic };
  return policies.raise(events, place, changes, new Date());
}

class GroupedSends implements OwnRows {
  readonly count: number;
  readonly #writes: readonly SendWrite[];
  #sentAt = new Date();
  #linked: BatchLinks | undefined;

  constructor(writes: readonly SendWrite[]) {
    this.#writes = writes;
    this.count = writes.reduce((sum, { links }) => sum + 1 + links.attachments.length, 0);
  }

  /** Called with the turn to commit, so that times grow with ids. */
  statement(positions: Parameters<OwnRows["statement"]>[0]): Sql {
    const { state } = (this.#writes[0] as SendWrite).viewer;
    this.#sentAt = new Date();
    this.#linked = new BatchLinks(
      this.#writes.map(({ links }) => links),
      this.#sentAt,
    );
    const messages = this.#writes.map(({ send }) => send);
    return insertLinkingMessages(state, { messages, linked: this.#linked, sentAt: this.#sentAt }, positions);
  }

  entriesFrom(range: AddingRange): LogEntry[] {
    const { base } = range;
    const sends = this.#writes.map(({ send }) => send);
    const submessages = submessagesOf(sends, range);
    const seconds = Math.floor(this.#sentAt.getTime() / 1000);
    const messages = sends.map((send, index) =>
      messageEntry((base + index + 1) as MessageId, send, seconds, submessages[index]),
    );
    return [...messages, ...(this.#linked as BatchLinks).entriesFrom(base)];
  }

  sent({ base }: AddingRange): void {
    this.#writes.forEach(({ sent }, index) => {
      sent.id = (base + index + 1) as MessageId;
    });
    const { database } = (this.#writes[0] as SendWrite).viewer.state;
    batchSizesOf(database).observe(this.#writes.length);
  }
}
