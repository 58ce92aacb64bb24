import type { OrganizationId, Position } from "../../../api/ids.ts";
import { type BatchLinks, linkTables } from "../../content/uploads/grouped-links.ts";
import { compiled, type Sql, sql } from "../../platform/db/sql.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { OwnRows } from "../../platform/log/row-batch.ts";
import { newestLogRow } from "../../platform/log/store.ts";
import { type CallWriter, callWriterOf } from "../mentions/bot-calls.ts";
import { messageTables, personalFlagsOf, type WrittenMessages } from "../model/store.ts";
import { type Adding, type Additions, additionsOf, additionTables } from "./batch-additions-store.ts";

interface GroupedBatch extends WrittenMessages, Additions {
  linked: BatchLinks;
  /** null: the memory is certain. Only for a statement that takes positions. */
  expectedStateHead: Position | null;
  /** How many positions it takes. */
  count: number;
}

interface Statements {
  taking(batch: GroupedBatch): Sql;
  /** For positions that are taken already, the last of the log. */
  afterTaking(batch: GroupedBatch): Sql;
}

const statements = new WeakMap<CallWriter, Statements>();

function statementsWith(writer: CallWriter): Statements {
  let known = statements.get(writer);
  if (!known) {
    const organizationId = (batch: GroupedBatch): OrganizationId => batch.organizationId;
    const count = (batch: GroupedBatch) => batch.count;
    const expected = (batch: GroupedBatch) => batch.expectedStateHead;
    const links = linkTables<GroupedBatch>(
      organizationId,
      ({ sentAt }) => sentAt,
      ({ linked }) => linked,
    );
    const writing = (log: Sql) =>
      compiled<GroupedBatch>(sql`
        with log as (${log}), ${messageTables()}, ${additionTables(writer)}, ${links}
        select coalesce((select base from log), stale_memory()) as base, (select head from log) as head,
          (select json_agg(id order by message_id) from submessage) as "submessageIds",
          (select count(*) from previewed) + (select count(*) from called) as "jobCount"`);
    known = {
      taking: writing(sql`
        update organization_logs set head = head + ${count}::int
        where ${newestLogRow(organizationId)} and (${expected}::bigint is null or state_head = ${expected}::bigint)
        returning head - ${count}::int as base, head`),
      afterTaking: writing(sql`
        select head - ${count}::int as base, head from organization_logs
        where organization_id = ${organizationId} order by stretch desc limit 1`),
    };
    statements.set(writer, known);
  }
  return known;
}

/** A batch of messages with what they add and the uploads that they link. */
export interface LinkingBatch {
  messages: readonly Adding[];
  linked: BatchLinks;
  sentAt: Date;
}

/**
 * Writes the messages and then what is announced of the uploads, see `OwnRows.statement`. Gives an
 * `AddingRange`. LOCK: the organization's row in organization_logs, to the commit.
 */
export function insertLinkingMessages(
  state: OrganizationState,
  { messages, linked, sentAt }: LinkingBatch,
  positions: Parameters<OwnRows["statement"]>[0],
): Sql {
  const { taking, afterTaking } = statementsWith(callWriterOf(state));
  const batch: GroupedBatch = {
    organizationId: state.organizationId,
    messages,
    personal: personalFlagsOf(messages),
    sentAt,
    ...additionsOf(messages),
    linked,
    expectedStateHead: positions === "taken" ? null : (positions.expectedStateHead ?? null),
    count: messages.length + linked.announcements.length,
  };
  return positions === "taken" ? afterTaking(batch) : taking(batch);
}
