/**
 * For statements over subscriptions `s`: where each interval begins and ends in the log.
 *
 * A bound is looked up by the primary key of `log_positions`, once for each subscription that the statement
 * reads. Don't write it as a join. PostgreSQL orders joins by statistics, and those of a young organization
 * say that `log_positions` is almost empty. It then reads all positions for each subscription: 600 ms for
 * 1,000 subscriptions and 2,800 positions. It never turns a subselect for one value into a join.
 */
import { type Sql, sql } from "../../platform/db/sql.ts";

/** null if the subscription began in this transaction. */
export const beganAt: Sql = sql`(select p.position from log_positions p
  where p.organization_id = s.organization_id and p.id = s.from_position_ref)`;

/** null while the subscription lasts, and if it ended in this transaction. */
export const endedAt: Sql = sql`(select p.position from log_positions p
  where p.organization_id = s.organization_id and p.id = s.to_position_ref)`;

/** A condition: the subscription holds this position, so the subscriber received a message with that id. */
export function includes(position: Sql): Sql {
  return sql`(${beganAt} < ${position} and (s.to_position_ref is null or coalesce(${endedAt} > ${position}, true)))`;
}
