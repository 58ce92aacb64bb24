import type { OrganizationId } from "../../../api/ids.ts";
import { int4Array } from "../../platform/db/array.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import { enqueueEach } from "../../platform/jobs/enqueue.ts";
import { showLinkPreviews } from "./show-previews.ts";

/**
 * As `enqueuePreviews`, for a batch: a query for `compiled` with a row for each job. The message with the
 * number `ordinal`, counted from 1, has the id `log.base + ordinal`.
 */
export function previewsOfBatch<I>(
  organizationId: (input: I) => OrganizationId,
  ordinals: (input: I) => readonly number[],
): Sql {
  return enqueueEach(showLinkPreviews, {
    payload: sql`json_build_object('organizationId', ${organizationId}::bigint, 'messageId', log.base + page.ordinal, 'tries', 0)`,
    key: sql`(${organizationId}::bigint)::text || ':' || (log.base + page.ordinal)::text`,
    from: sql`log cross join unnest(${(input: I) => int4Array(ordinals(input))}::int[]) as page (ordinal)`,
  });
}
