/**
 * People, groups, folders and channels, in one transaction: an interrupted import has all of them or none.
 */
import type { ChannelId, FolderId, GroupId, OrganizationId, UserId } from "../../../api/ids.ts";
import { addPastChannels, addPastFolders } from "../../channels/past.ts";
import type { GroupValue } from "../../groups/group.ts";
import { addPastGroups, addPastMembers, systemGroupIds } from "../../groups/past.ts";
import { addPastPeople, setPastOwners } from "../../people/past.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Plan } from "./plan.ts";
import type { SourcePermission } from "./records.ts";
import { insertSources, type SourceKind } from "./store.ts";

/** Rows in one statement. */
const BATCH = 5000;

interface Target {
  organizationId: OrganizationId;
  source: string;
  keyring: Keyring;
}

export async function writeStructure(tx: Queryable, target: Target, plan: Plan): Promise<void> {
  const { organizationId, keyring } = target;
  const people = await inBatches(tx, target, "person", plan.people, (batch) =>
    addPastPeople(tx, keyring, organizationId, batch),
  );
  for (const [id, same] of plan.sameAs) people.set(id, people.get(same) as number);
  const person = (id: string | undefined) =>
    id === undefined ? undefined : (people.get(id) as UserId | undefined);
  const owned = plan.people.flatMap(({ id, botType, ownerId }) => {
    const owner = person(ownerId);
    return botType === null || owner === undefined ? [] : { botId: person(id) as UserId, ownerId: owner };
  });
  await setPastOwners(tx, organizationId, owned);
  const groups = await inBatches(tx, target, "group", plan.groups, (batch) =>
    addPastGroups(
      tx,
      organizationId,
      batch.map((group) => ({ ...group, creatorId: person(group.creatorId) ?? null })),
    ),
  );
  for (const [name, id] of await systemGroupIds(tx, organizationId)) groups.set(name, id);
  await writeMembers(tx, organizationId, plan, { person, groups });
  const folders = await inBatches(tx, target, "folder", plan.folders, (batch) =>
    addPastFolders(
      tx,
      organizationId,
      batch.map((folder) => ({ ...folder, creatorId: person(folder.creatorId) ?? null })),
    ),
  );
  await inBatches(tx, target, "channel", plan.channels, (batch) =>
    addPastChannels(
      tx,
      organizationId,
      batch.map(({ permissions, ...channel }) => ({
        ...channel,
        creatorId: person(channel.creatorId) ?? null,
        folderId:
          channel.folderId === undefined ? null : ((folders.get(channel.folderId) as FolderId) ?? null),
        groupSettings: Object.fromEntries(
          Object.entries(permissions).map(([name, value]) => [name, groupValue(value, { person, groups })]),
        ),
      })),
    ),
  );
}

interface Found {
  person(id: string | undefined): UserId | undefined;
  groups: ReadonlyMap<string, number>;
}

function groupValue({ memberIds, subgroupIds }: SourcePermission, { person, groups }: Found): GroupValue {
  const members = idsOf(memberIds.map(person)) as UserId[];
  const subgroups = idsOf(subgroupIds.map((id) => groups.get(id))) as GroupId[];
  if (members.length === 0 && subgroups.length <= 1) {
    return (subgroups[0] ?? groups.get("role:nobody")) as GroupId;
  }
  return { direct_members: members, direct_subgroups: subgroups };
}

function idsOf(ids: readonly (number | undefined)[]): number[] {
  return [...new Set(ids.filter((id) => id !== undefined))].sort((a, b) => a - b);
}

async function writeMembers(
  tx: Queryable,
  organizationId: OrganizationId,
  plan: Plan,
  { person, groups }: Found,
): Promise<void> {
  for (const group of plan.groups) {
    const groupId = groups.get(group.id) as GroupId;
    await addPastMembers(tx, organizationId, {
      people: (idsOf(group.memberIds.map(person)) as UserId[]).map((userId) => ({ groupId, userId })),
      groups: (idsOf(group.subgroupIds.map((id) => groups.get(id))) as GroupId[]).map((subgroupId) => ({
        groupId,
        subgroupId,
      })),
    });
  }
}

async function inBatches<T extends { id: string }>(
  tx: Queryable,
  { organizationId, source }: Target,
  kind: SourceKind,
  records: readonly T[],
  write: (batch: T[]) => Promise<readonly (UserId | GroupId | FolderId | ChannelId)[]>,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (let start = 0; start < records.length; start += BATCH) {
    const batch = records.slice(start, start + BATCH);
    const written = await write(batch);
    const pairs = batch.map(({ id }, index) => [id, written[index] as number] as const);
    await insertSources(tx, organizationId, source, kind, pairs);
    for (const [id, row] of pairs) ids.set(id, row);
  }
  return ids;
}
