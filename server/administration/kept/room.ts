/** What takes room: the database, the files, the backups and the disks. Names are for the operator alone. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { ChannelId, OrganizationId, UserId } from "../../../api/ids.ts";
import { channels } from "../../channels/channel.ts";
import { users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import {
  findDatabaseRoom,
  listRoomOfPeople,
  listRoomOfPlaces,
  listTableRoom,
  type TableRoom,
  type UploadRoom,
} from "./store.ts";

/** In bytes, and the number of files. */
export interface Room {
  bytes: number;
  count: number;
}

export interface NamedRoom extends Room {
  name: string;
}

const SHOWN = 50;
const OTHERS = "the others";

/** What the folders of an organization's files have. */
const kinds: Readonly<Record<string, string>> = {
  uploads: "uploads",
  thumbnails: "small pictures of uploads",
  avatars: "pictures of people",
  organization: "pictures of the organization",
  emoji: "emoji",
  external: "pictures of other hosts",
  exports: "exports",
};

/**
 * The files of each organization by their kind, counted in the storage itself. `only`: of this organization.
 * Throws what the storage throws, as when it is away.
 */
export async function measureFiles(
  files: Pick<FileStorage, "list">,
  only?: OrganizationId,
): Promise<Map<number, Map<string, Room>>> {
  const all = new Map<number, Map<string, Room>>();
  for await (const { key, size } of files.list()) {
    const [organization = "", folder = ""] = key.split("/");
    const id = Number(organization);
    if (only !== undefined && id !== only) continue;
    const ofOrganization = all.get(id) ?? new Map<string, Room>();
    all.set(id, ofOrganization);
    const kind = kinds[folder] ?? folder;
    const known = ofOrganization.get(kind) ?? { bytes: 0, count: 0 };
    ofOrganization.set(kind, { bytes: known.bytes + size, count: known.count + 1 });
  }
  return all;
}

/** The uploads of the fifty people with the most, and of the others together. */
export async function measurePeople(
  { database }: Pick<Services, "database">,
  state: OrganizationState,
): Promise<NamedRoom[]> {
  const rows = await inBackground(database, (tx) => listRoomOfPeople(tx, state.organizationId));
  const { byId } = state.get(users);
  return shorten(rows.map((row) => ({ ...row, name: byId.get(row.id as UserId)?.fullName ?? `${row.id}` })));
}

/**
 * The uploads of the fifty channels with the most, and of the others together. An upload is where it was
 * linked first. Conversations are one, as are those that no message links.
 */
export async function measureChannels(
  { database }: Pick<Services, "database">,
  state: OrganizationState,
): Promise<NamedRoom[]> {
  const rows = await inBackground(database, (tx) => listRoomOfPlaces(tx, state.organizationId));
  const { byId } = state.get(channels);
  const named = rows.map((row) => ({ ...row, name: byId.get(row.id as ChannelId)?.name }));
  const direct = named.filter(({ id, name }) => id !== null && name === undefined);
  const unlinked = named.filter(({ id }) => id === null);
  return [
    ...shorten(
      named.flatMap(({ name, ...row }) => (name === undefined ? [] : [{ ...row, name: `#${name}` }])),
    ),
    ...(direct.length > 0 ? [{ name: "direct messages", ...sum(direct) }] : []),
    ...(unlinked.length > 0 ? [{ name: "no message", ...sum(unlinked) }] : []),
  ];
}

/** The bytes of the whole database, with what PostgreSQL keeps about it. */
export function measureDatabase({ database }: Pick<Services, "database">): Promise<number> {
  return inBackground(database, findDatabaseRoom);
}

export function measureTables({ database }: Pick<Services, "database">): Promise<TableRoom[]> {
  return inBackground(database, listTableRoom);
}

/** All files below a directory. What goes away meanwhile is left out; undefined: there is no directory. */
export async function measureDirectory(directory: string): Promise<Room | undefined> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (!entries) return undefined;
  const room = { bytes: 0, count: 0 };
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const found = await stat(path.join(entry.parentPath, entry.name)).catch(() => undefined);
    if (!found) continue;
    room.bytes += found.size;
    room.count++;
  }
  return room;
}

export function sum(rooms: Iterable<Room>): Room {
  const total = { bytes: 0, count: 0 };
  for (const { bytes, count } of rooms) {
    total.bytes += bytes;
    total.count += count;
  }
  return total;
}

/** The lane's limit of time is on each statement. */
function inBackground<T>(database: Services["database"], read: (tx: Queryable) => Promise<T>): Promise<T> {
  return database.transaction(read, { lane: "background" });
}

function shorten(rooms: readonly (NamedRoom & Partial<UploadRoom>)[]): NamedRoom[] {
  const shown = rooms.slice(0, SHOWN).map(({ name, bytes, count }) => ({ name, bytes, count }));
  const others = rooms.slice(SHOWN);
  return others.length === 0 ? shown : [...shown, { name: OTHERS, ...sum(others) }];
}
