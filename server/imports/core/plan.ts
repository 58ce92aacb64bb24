/**
 * What an import will write of people, groups, folders and channels: names that are allowed and free,
 * addresses that nobody else has, references to things that are there. It needs no database, so a dry run
 * has it too.
 */
import { channelPermissionList } from "../../../api/channels/channel-permissions.ts";
import {
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  MAX_FOLDER_DESCRIPTION_LENGTH,
  MAX_FOLDER_NAME_LENGTH,
  MAX_FULL_NAME_LENGTH,
  MAX_GROUP_DESCRIPTION_LENGTH,
  MAX_GROUP_NAME_LENGTH,
  MIN_FULL_NAME_LENGTH,
} from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { cutTo, FreeNames, plainLine } from "./names.ts";
import type {
  ImportSource,
  SourceChannel,
  SourceFolder,
  SourceGroup,
  SourcePermission,
  SourcePerson,
} from "./records.ts";
import type { Report } from "./report.ts";

export interface PlannedPerson extends SourcePerson {
  email: string;
}

export interface Plan {
  people: PlannedPerson[];
  /** Ids of people whose account is that of another one, with that one's id. */
  sameAs: ReadonlyMap<string, string>;
  groups: SourceGroup[];
  folders: SourceFolder[];
  channels: SourceChannel[];
}

export interface PlanOptions {
  host: string;
  /** Who becomes an owner, besides those of the source. */
  owner: string | undefined;
}

const RESERVED_PREFIXES = ["@", "role:", "user:", "stream:", "channel:"];
export const DEFAULT_TIMEZONE = "UTC";
/** No person of a source has this id. */
const OWNER_ID = "+owner";

/** Throws an ArchiveError if nobody could administer the organization. */
export function planImport(source: ImportSource, options: PlanOptions, report: Report): Plan {
  const { people, sameAs } = planPeople(source, options, report);
  const known = new Set([...people.map(({ id }) => id), ...sameAs.keys()]);
  const groups = planGroups(source.groups, known, report);
  const groupIds = new Set(groups.map(({ id }) => id));
  const folders = planFolders(source.folders);
  report.taken("folders", folders.length);
  const channels = planChannels(source.channels, { known, groupIds, folders }, report);
  return { people, sameAs, groups, folders, channels };
}

function planPeople(source: ImportSource, { host, owner }: PlanOptions, report: Report) {
  const byAddress = new Map<string, PlannedPerson>();
  const people: PlannedPerson[] = [];
  const sameAs = new Map<string, string>();
  const seen = new Set<string>();
  for (const person of source.people) {
    if (seen.has(person.id)) {
      report.lose("people whose id comes twice were left out", person.fullName);
      continue;
    }
    seen.add(person.id);
    // A colon is no character of an address.
    const address = person.email ?? `user-${person.id.replaceAll(":", "=")}@noreply.${host}`;
    const known = byAddress.get(address.toLowerCase());
    if (known) {
      report.lose("people with the address of somebody else became one with them", address);
      sameAs.set(person.id, known.id);
      continue;
    }
    if (person.email === undefined && person.botType === null && person.isActive) {
      report.lose("people without an address in the archive are deactivated", person.fullName);
    }
    const planned = {
      ...person,
      email: address,
      fullName: fullNameOf(person, report),
      timezone: isTimezone(person.timezone) ? person.timezone : DEFAULT_TIMEZONE,
      isActive: person.isActive && (person.email !== undefined || person.botType !== null),
    };
    byAddress.set(address.toLowerCase(), planned);
    people.push(planned);
  }
  if (owner !== undefined) makeOwner(owner, byAddress, people);
  const isOwned = people.some(
    ({ role, isActive, botType }) => role === roles.owner && isActive && botType === null,
  );
  if (!isOwned) {
    throw new ArchiveError(
      "The archive has no active owner with an email address. Name one with --owner EMAIL.",
    );
  }
  report.taken(
    "people",
    people.length -
      (owner !== undefined && !seen.has(OWNER_ID) && people.some(({ id }) => id === OWNER_ID) ? 1 : 0),
  );
  return { people, sameAs };
}

function makeOwner(email: string, byAddress: Map<string, PlannedPerson>, people: PlannedPerson[]): void {
  const known = byAddress.get(email.toLowerCase());
  if (known) {
    known.role = roles.owner;
    known.isActive = true;
    return;
  }
  people.push({
    id: OWNER_ID,
    email,
    fullName: "Owner",
    role: roles.owner,
    isActive: true,
    botType: null,
    ownerId: undefined,
    timezone: DEFAULT_TIMEZONE,
    joinedAt: new Date(),
  });
}

function fullNameOf({ id, fullName }: SourcePerson, report: Report): string {
  const plain = plainLine(fullName)
    .replace(/[*`\\>"@]/g, "")
    .replace(/\|(?=\d+$)/, " ")
    .trim();
  const name = cutTo(plain, MAX_FULL_NAME_LENGTH);
  if ([...name].length >= MIN_FULL_NAME_LENGTH) {
    if (name !== fullName.trim())
      report.lose("names of people were changed to what names here may be", fullName);
    return name;
  }
  report.lose("names of people were changed to what names here may be", fullName || `User ${id}`);
  return `${name || "User"} ${id}`;
}

/** Whether this server has the time zone. */
export function isTimezone(name: string): boolean {
  try {
    return name !== "" && new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

function planGroups(
  given: readonly SourceGroup[],
  known: ReadonlySet<string>,
  report: Report,
): SourceGroup[] {
  const names = new FreeNames();
  const unique = [...new Map(given.map((group) => [group.id, group])).values()];
  const ids = new Set(unique.map(({ id }) => id));
  const groups = unique.map((group) => {
    let plain = plainLine(group.name);
    const prefix = RESERVED_PREFIXES.find((each) => plain.toLowerCase().startsWith(each));
    if (prefix !== undefined) plain = plain.slice(prefix.length).trim();
    const name = names.take(plain || `group ${group.id}`, MAX_GROUP_NAME_LENGTH);
    if (name !== group.name)
      report.lose("names of groups were changed to what names here may be", group.name);
    return {
      ...group,
      name,
      description: cutTo(group.description.trim(), MAX_GROUP_DESCRIPTION_LENGTH),
      memberIds: [...new Set(group.memberIds)].filter((id) => known.has(id)),
      subgroupIds: [...new Set(group.subgroupIds)].filter((id) => id.startsWith("role:") || ids.has(id)),
    };
  });
  breakCircles(groups, report);
  if (groups.length > 0)
    report.lose("who may join, mention or change a group is as for new groups", undefined, groups.length);
  report.taken("groups", groups.length);
  return groups;
}

/** Takes out a subgroup that contains the group, directly or through others. */
function breakCircles(groups: readonly SourceGroup[], report: Report): void {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const done = new Set<string>();
  const onPath = new Set<string>();
  const visit = (start: SourceGroup) => {
    // Without recursion: a hostile archive may nest them as deep as it likes.
    const stack = [{ group: start, next: 0 }];
    onPath.add(start.id);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const id = top.group.subgroupIds[top.next];
      if (id === undefined) {
        onPath.delete(top.group.id);
        done.add(top.group.id);
        stack.pop();
      } else if (onPath.has(id)) {
        top.group.subgroupIds.splice(top.next, 1);
        report.lose("groups that contained themselves lost that part", top.group.name);
      } else {
        top.next++;
        const inner = byId.get(id);
        if (!inner || done.has(id)) continue;
        onPath.add(id);
        stack.push({ group: inner, next: 0 });
      }
    }
  };
  for (const group of groups) if (!done.has(group.id)) visit(group);
}

function planFolders(given: readonly SourceFolder[]): SourceFolder[] {
  const names = new FreeNames();
  return [...new Map(given.map((folder) => [folder.id, folder])).values()].map((folder) => ({
    ...folder,
    name: names.take(plainLine(folder.name) || `folder ${folder.id}`, MAX_FOLDER_NAME_LENGTH),
    description: cutTo(plainLine(folder.description), MAX_FOLDER_DESCRIPTION_LENGTH),
  }));
}

function planChannels(
  given: readonly SourceChannel[],
  {
    known,
    groupIds,
    folders,
  }: { known: ReadonlySet<string>; groupIds: ReadonlySet<string>; folders: readonly SourceFolder[] },
  report: Report,
): SourceChannel[] {
  const names = new FreeNames();
  const folderIds = new Set(folders.map(({ id }) => id));
  const unique = [...new Map(given.map((channel) => [channel.id, channel])).values()];
  // Those in use keep their names.
  const channels = [...unique]
    .sort((a, b) => Number(a.isArchived) - Number(b.isArchived))
    .map((channel) => {
      const name = names.take(plainLine(channel.name) || `channel ${channel.id}`, MAX_CHANNEL_NAME_LENGTH);
      if (name !== channel.name)
        report.lose("names of channels were changed to what names here may be", channel.name);
      return {
        ...channel,
        name,
        description: cutTo(plainLine(channel.description), MAX_CHANNEL_DESCRIPTION_LENGTH),
        folderId:
          channel.folderId !== undefined && folderIds.has(channel.folderId) ? channel.folderId : undefined,
        permissions: planPermissions(channel, { known, groupIds }, report),
      };
    });
  report.taken("channels", channels.length);
  return channels;
}

/** A permission that can't be as it was has its default, which lets nobody read more. */
function planPermissions(
  { name: channelName, permissions }: SourceChannel,
  { known, groupIds }: { known: ReadonlySet<string>; groupIds: ReadonlySet<string> },
  report: Report,
): Record<string, SourcePermission> {
  const planned: Record<string, SourcePermission> = {};
  for (const { name, allowsEveryone, allowsNobody, requiresSystemGroup } of channelPermissionList) {
    const value = permissions[name];
    if (!value) continue;
    const memberIds = [...new Set(value.memberIds)].filter((id) => known.has(id));
    const subgroupIds = [...new Set(value.subgroupIds)].filter(
      (id) => id.startsWith("role:") || groupIds.has(id),
    );
    if (memberIds.length + subgroupIds.length === 0) subgroupIds.push("role:nobody");
    const isRefused =
      (subgroupIds.includes("role:everyone") && !allowsEveryone) ||
      subgroupIds.includes("role:internet") ||
      (subgroupIds.includes("role:nobody") && !allowsNobody) ||
      (requiresSystemGroup && (memberIds.length > 0 || subgroupIds.length !== 1));
    if (isRefused)
      report.lose("permissions of channels that are not allowed here have their defaults", channelName);
    else planned[name] = { memberIds, subgroupIds };
  }
  return planned;
}
