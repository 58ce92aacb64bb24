import type { FolderId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { PersonalRows } from "../../platform/db/personal-rows.ts";
import { sql } from "../../platform/db/sql.ts";

export interface Folder {
  id: FolderId;
  name: string;
  description: string;
  renderedDescription: string;
  creatorId: UserId | null;
  /** Its place among the folders, from 0. */
  order: number;
  createdAt: Date;
  archivedAt: Date | null;
}

const folderColumns = sql`id, name, description, rendered_description as "renderedDescription", creator_id as "creatorId",
  sort_order as "order", created_at as "createdAt", archived_at as "archivedAt"`;

/** Adds a folder after all others. */
export async function insertFolder(
  tx: Queryable,
  organizationId: OrganizationId,
  folder: Pick<Folder, "name" | "description" | "renderedDescription" | "creatorId">,
): Promise<Folder> {
  const [row] = await tx.query<Folder>(sql`
    insert into channel_folders (organization_id, name, description, rendered_description, creator_id, sort_order)
    select ${organizationId}, ${folder.name}, ${folder.description}, ${folder.renderedDescription}, ${folder.creatorId},
      coalesce(max(sort_order) + 1, 0)
    from channel_folders where organization_id = ${organizationId}
    returning ${folderColumns}`);
  return row as Folder;
}

/** All folders in their order, archived folders too. */
export async function listFolders(tx: Queryable, organizationId: OrganizationId): Promise<Folder[]> {
  return allFolders.list(tx, organizationId, null);
}

/** They are everybody's, and are read with a person's lists. */
export const allFolders = new PersonalRows<Folder>(
  (organizationId) => sql`
    select ${folderColumns} from channel_folders
    where organization_id = ${organizationId} order by sort_order, id`,
  ["createdAt", "archivedAt"],
);

export async function updateFolder(
  tx: Queryable,
  organizationId: OrganizationId,
  folder: Folder,
): Promise<void> {
  await tx.query(sql`
    update channel_folders
    set name = ${folder.name}, description = ${folder.description},
      rendered_description = ${folder.renderedDescription}, archived_at = ${folder.archivedAt}
    where organization_id = ${organizationId} and id = ${folder.id}`);
}

/** Gives each folder its place in the list. */
export async function updateFolderOrder(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly FolderId[],
): Promise<void> {
  await tx.query(sql`
    update channel_folders f set sort_order = place.number - 1
    from unnest(${ids}::bigint[]) with ordinality as place (id, number)
    where f.organization_id = ${organizationId} and f.id = place.id`);
}
