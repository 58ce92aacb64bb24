import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { PersonalRows } from "../../platform/db/personal-rows.ts";
import { sql } from "../../platform/db/sql.ts";

export interface Snippet {
  id: number;
  title: string;
  content: string;
  createdAt: Date;
}

const columns = sql`id, title, content, created_at as "createdAt"`;

export async function insertSnippet(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { title, content }: Pick<Snippet, "title" | "content">,
): Promise<Snippet> {
  const [row] = await tx.query<Snippet>(sql`
    insert into saved_snippets (organization_id, user_id, title, content)
    values (${organizationId}, ${userId}, ${title}, ${content})
    returning ${columns}`);
  return row as Snippet;
}

/** All snippets of one person, the oldest first. */
export const ownSnippets = new PersonalRows<Snippet>(
  (organizationId, userId) => sql`
    select ${columns} from saved_snippets
    where organization_id = ${organizationId} and user_id = ${userId} order by id`,
  ["createdAt"],
);

export async function countSnippets(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from saved_snippets
    where organization_id = ${organizationId} and user_id = ${userId}`);
  return (row as { count: number }).count;
}

export async function findSnippet(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  id: number,
): Promise<Snippet | undefined> {
  const [row] = await tx.query<Snippet>(sql`
    select ${columns} from saved_snippets
    where organization_id = ${organizationId} and user_id = ${userId} and id = ${id}`);
  return row;
}

export async function updateSnippet(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { id, title, content }: Snippet,
): Promise<void> {
  await tx.query(sql`
    update saved_snippets set title = ${title}, content = ${content}
    where organization_id = ${organizationId} and user_id = ${userId} and id = ${id}`);
}

export async function deleteSnippet(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  id: number,
): Promise<void> {
  await tx.query(sql`
    delete from saved_snippets
    where organization_id = ${organizationId} and user_id = ${userId} and id = ${id}`);
}
