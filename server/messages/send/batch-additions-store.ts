/**
 * What a message may write besides its row, in the statement of its batch or in a transaction: a widget,
 * calls of bots, and the job that shows linked pages.
 */
import type { MessageId, OrganizationId, Position } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { compiled, type Sql, sql } from "../../platform/db/sql.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { LogRange } from "../../platform/log/store.ts";
import type { LoggedMessage } from "../delivery/message-log.ts";
import { previewsOfBatch } from "../link-previews/preview-jobs-store.ts";
import { enqueuePreviews } from "../link-previews/show-previews.ts";
import {
  type BatchCall,
  type BotCall,
  type CallWriter,
  callWriterOf,
  writeCalls,
} from "../mentions/bot-calls.ts";
import { batchTables, type MessageBatch, messageBatch } from "../model/store.ts";
import { type BatchSubmessage, insertSubmessage, submessagesOfBatch } from "../model/submessage-store.ts";
import { type Submessage, WIDGET_KIND } from "../model/submessages.ts";

/** A message with what it adds. */
export interface Adding extends LoggedMessage {
  /** The bots whose programs the server calls with the message. */
  calls: readonly BotCall[] | null;
  /** Whether it links to pages that are to be shown. */
  linksPages: boolean;
}

export function hasAdditions({ widget, calls, linksPages }: Adding): boolean {
  return linksPages || widget !== null || calls !== null;
}

type AddingBatch = MessageBatch & Additions;

/** What messages of a batch add. */
export interface Additions {
  submessages: readonly BatchSubmessage[];
  calls: readonly BatchCall[];
  /** The numbers of messages that link to pages. */
  pages: readonly number[];
}

/**
 * For `compiled`: the tables of a `with` that write what messages add. The message with the number `ordinal`
 * has the id `log.base + ordinal`. `previewed` and `called` must be read.
 */
export function additionTables(writer: CallWriter): Sql {
  type Input = Additions & { organizationId: OrganizationId };
  const organizationId = (batch: Input): OrganizationId => batch.organizationId;
  return sql`
      submessage as (${submessagesOfBatch(organizationId, (batch: Input) => batch.submessages)}),
      previewed as (${previewsOfBatch(organizationId, (batch: Input) => batch.pages)}),
      ${writer.tables(organizationId, (batch: Input) => batch.calls)}`;
}

const statements = new WeakMap<CallWriter, (batch: AddingBatch) => Sql>();

function statementWith(writer: CallWriter): (batch: AddingBatch) => Sql {
  let statement = statements.get(writer);
  if (!statement) {
    statement = compiled<AddingBatch>(sql`
      with ${batchTables}, ${additionTables(writer)}
      select base, head, (select json_agg(id order by message_id) from submessage) as "submessageIds",
        (select count(*) from previewed) + (select count(*) from called) as "jobCount"
      from log`);
    statements.set(writer, statement);
  }
  return statement;
}

/** What the statement of `insertMessagesAdding` gives. */
export interface AddingRange extends LogRange {
  /** The ids of first submessages, in the order of their messages. null: there are none. */
  submessageIds: readonly number[] | null;
}

/** As `insertMessages`, for messages of which some add something. Gives an `AddingRange`. */
export function insertMessagesAdding(
  state: OrganizationState,
  messages: readonly Adding[],
  options: { expectedStateHead: Position; sentAt: Date },
): Sql {
  const batch = messageBatch(state.organizationId, messages, options);
  return statementWith(callWriterOf(state))({ ...batch, ...additionsOf(messages) });
}

export function additionsOf(messages: readonly Adding[]): Additions {
  const submessages: BatchSubmessage[] = [];
  const calls: BatchCall[] = [];
  const pages: number[] = [];
  messages.forEach((message, index) => {
    const ordinal = index + 1;
    const { widget, senderId } = message;
    if (widget !== null) submessages.push({ ordinal, senderId, kind: WIDGET_KIND, content: widget });
    for (const call of message.calls ?? []) calls.push({ ...call, ordinal });
    if (message.linksPages) pages.push(ordinal);
  });
  return { submessages, calls, pages };
}

/** The submessages that the statement wrote, by the index of their messages. */
export function submessagesOf(
  messages: readonly Adding[],
  { base, submessageIds }: AddingRange,
): (Submessage | null)[] {
  const ids = (submessageIds ?? []).values();
  return messages.map(({ widget, senderId }, index) =>
    widget === null
      ? null
      : {
          id: ids.next().value as number,
          messageId: (base + index + 1) as MessageId,
          senderId,
          kind: WIDGET_KIND,
          content: widget,
        },
  );
}

/** Writes what a message adds, in its transaction. Returns its first submessage. */
export async function writeAdditions(
  tx: Queryable,
  state: OrganizationState,
  id: MessageId,
  { widget, senderId, calls, linksPages }: Adding,
): Promise<Submessage | null> {
  if (calls !== null) await writeCalls(tx, state, id, calls);
  if (linksPages) await enqueuePreviews(tx, state, id);
  if (widget === null) return null;
  const submessage = { messageId: id, senderId, kind: WIDGET_KIND, content: widget };
  return insertSubmessage(tx, state.organizationId, submessage);
}
