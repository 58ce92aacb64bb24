import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { PersonalRows } from "../../platform/db/personal-rows.ts";
import { sql } from "../../platform/db/sql.ts";

export interface NavigationView {
  fragment: string;
  isPinned: boolean;
  /** null for a built-in view. */
  name: string | null;
}

export async function insertView(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { fragment, isPinned, name }: NavigationView,
): Promise<void> {
  await tx.query(sql`
    insert into navigation_views (organization_id, user_id, fragment, is_pinned, name)
    values (${organizationId}, ${userId}, ${fragment}, ${isPinned}, ${name})`);
}

/** All views of one person, the oldest first. */
export const ownViews = new PersonalRows<NavigationView>(
  (organizationId, userId) => sql`
    select fragment, is_pinned as "isPinned", name from navigation_views
    where organization_id = ${organizationId} and user_id = ${userId} order by id`,
);

export async function updateView(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { fragment, isPinned, name }: NavigationView,
): Promise<void> {
  await tx.query(sql`
    update navigation_views set is_pinned = ${isPinned}, name = ${name}
    where organization_id = ${organizationId} and user_id = ${userId} and fragment = ${fragment}`);
}

export async function deleteView(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  fragment: string,
): Promise<void> {
  await tx.query(sql`
    delete from navigation_views
    where organization_id = ${organizationId} and user_id = ${userId} and fragment = ${fragment}`);
}
