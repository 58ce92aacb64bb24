import type { OrganizationId } from "../../../api/ids.ts";
import { int4Array, int8Array, textArray } from "../../platform/db/array.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { RowLocks } from "../../platform/log/grouped-change.ts";
import { columns, messagesOf, type UploadRow } from "./store.ts";

/** Uploads that a group of changes links. Nobody else changes their links or deletes them meanwhile. */
export const uploadRows: RowLocks = {
  statement(organizationId, rows, waits) {
    // LOCK: as `lockAttachments`. Without `waits`, rows that others hold are left out. What is gone is not
    // held, so it comes too, and the change is decided at once.
    const upload = sql`select id from uploads where organization_id = ${organizationId} and id = asked.id`;
    return prepare(sql`
      select asked.id from (
        select distinct id from unnest(${rows.map(({ id }) => id)}::bigint[]) as id order by id offset 0
      ) asked
      left join lateral (${upload} for update ${waits ? sql`` : sql`skip locked`}) held on true
      where held.id is not null or not exists (${upload} offset 0)`);
  },
};

/** A row of `lockedUploads`. */
export type LockedUploadRow = UploadRow & { spaceUsed: number };

/** Joins of the upload with the id `asked.upload_id`, each looked up by its key. */
export function lockedUploads(organizationId: OrganizationId, maxMessages: number): Sql {
  return sql`
    cross join lateral (
      select ${columns}, ${messagesOf(maxMessages)} as messages from uploads u
      where u.organization_id = ${organizationId} and u.id = asked.upload_id offset 0
    ) upload
    cross join (
      select coalesce(sum(used), 0)::bigint as "spaceUsed" from upload_space
      where organization_id = ${organizationId}
    ) space`;
}

/** That a message of a batch links an upload. `ordinal`: the number of the message, counted from 1. */
export interface BatchLink {
  ordinal: number;
  uploadId: number;
}

/** What a batch says of an upload. Ids of its messages in the payload are their negative numbers. */
export interface BatchAnnouncement {
  type: string;
  payload: string;
  audience: string;
}

/** What `tablesOfLinks` reads of a batch. The message with a number has the id `log.base + ordinal`. */
interface LinkTables<I> {
  organizationId(input: I): OrganizationId;
  sentAt(input: I): Date;
  links(input: I): readonly BatchLink[];
  /** The position of the first announcement is the one after `log.base` and so many. */
  messageCount(input: I): number;
  announcements(input: I): readonly BatchAnnouncement[];
}

/** For `compiled`: tables of a `with` that write and announce the links of a batch of messages. */
export function tablesOfLinks<I>(of: LinkTables<I>): Sql {
  const uploadIds = (input: I) => int8Array(of.links(input).map(({ uploadId }) => uploadId));
  const messages = sql`e.payload::jsonb #> '{attachment,messages}'`;
  return sql`
    linked as (
      insert into message_uploads (organization_id, upload_id, message_id, sent_at)
      select ${of.organizationId}, l.upload_id, log.base + l.ordinal, ${of.sentAt}
      from log, unnest(${(input: I) => int4Array(of.links(input).map(({ ordinal }) => ordinal))}::int[],
        ${uploadIds}::bigint[]) as l (ordinal, upload_id)
    ), in_use as (
      update uploads set unlinked_since = null
      where organization_id = ${of.organizationId} and id = any(${uploadIds}::bigint[])
        and unlinked_since is not null
    ), announced as (
      insert into events (organization_id, position, type, payload, audience)
      select ${of.organizationId}, log.base + ${of.messageCount}::int + e.ordinality, e.type,
        jsonb_set(e.payload::jsonb, '{attachment,messages}', (
          select jsonb_agg(case when (m.link->>'id')::bigint < 0
              then m.link || jsonb_build_object('id', log.base - (m.link->>'id')::bigint) else m.link end
            order by m.ordinality)
          from jsonb_array_elements(${messages}) with ordinality as m (link, ordinality)
        )), e.audience::jsonb
      from log, unnest(
        ${(input: I) => textArray(of.announcements(input).map(({ type }) => type))}::text[],
        ${(input: I) => textArray(of.announcements(input).map(({ payload }) => payload))}::text[],
        ${(input: I) => textArray(of.announcements(input).map(({ audience }) => audience))}::text[]
      ) with ordinality as e (type, payload, audience, ordinality)
    )`;
}
