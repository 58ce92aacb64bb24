import type { ChannelId, FolderId, GroupId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Plan } from "./plan.ts";
import { listSources, type SourceKind } from "./store.ts";

/** What became of the source's things, by their ids there. */
export interface WrittenIds {
  people: ReadonlyMap<string, UserId>;
  groups: ReadonlyMap<string, GroupId>;
  folders: ReadonlyMap<string, FolderId>;
  channels: ReadonlyMap<string, ChannelId>;
}

export async function readIds(
  db: Queryable,
  organizationId: OrganizationId,
  plan: Plan,
): Promise<WrittenIds> {
  const mapOf = async <Id>(kind: SourceKind) =>
    new Map((await listSources(db, organizationId, kind)).map(({ sourceId, id }) => [sourceId, id as Id]));
  const people = await mapOf<UserId>("person");
  for (const [id, same] of plan.sameAs) people.set(id, people.get(same) as UserId);
  return {
    people,
    groups: await mapOf<GroupId>("group"),
    folders: await mapOf<FolderId>("folder"),
    channels: await mapOf<ChannelId>("channel"),
  };
}
