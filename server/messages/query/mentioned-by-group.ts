import { groups } from "../../groups/group.ts";
import { pastGroupsOf } from "../../groups/group-history.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import type { Reader } from "./readable/readable-ranges.ts";

/**
 * A condition on a message `m`, as `isMentionedIn` answers it for one group: the reader was in a group when
 * the message mentioned it. Reads memory at once.
 */
export function isMentionedByGroup({ state, user }: Reader, m: Sql): Sql {
  const { byId } = state.get(groups);
  const own = [...(user ? pastGroupsOf(state, user) : [])]
    // A group of a role can't be mentioned.
    .filter(([id]) => byId.get(id)?.systemCode == null)
    .flatMap(([id, intervals]) => intervals.map((interval) => ({ id, ...interval })));
  const column = (values: readonly number[]) => sql`${values}::bigint[]`;
  return sql`coalesce(${m}.mentioned_group_ids && ${column([...new Set(own.map(({ id }) => id))])} and exists (
    select from unnest(${column(own.map(({ id }) => id))}, ${column(own.map(({ from }) => from))},
      ${column(own.map(({ to }) => Math.min(to, Number.MAX_SAFE_INTEGER)))}, ${column(own.map(({ since }) => since))})
      as own (group_id, after, before, since)
    cross join lateral (
      select coalesce(
        ${m}.mentioned_group_positions[array_position(${m}.mentioned_group_ids, own.group_id)], ${m}.id) as position
    ) mention
    where own.group_id = any(${m}.mentioned_group_ids) and own.after < mention.position and mention.position < own.before
      and floor(extract(epoch from ${m}.sent_at)) * 1000 >= own.since
  ), false)`;
}
