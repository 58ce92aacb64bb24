import path from "node:path";
import {
  measureChannels,
  measureDatabase,
  measureDirectory,
  measureFiles,
  measurePeople,
  measureTables,
  sum,
} from "../../server/administration/kept/room.ts";
import { listAllOrganizations } from "../../server/organization/list-all.ts";
import { targetPlaceOf } from "../../server/platform/backup/target-place.ts";
import { StorageAway } from "../../server/platform/file-storage/file-storage.ts";
import { filesDirectory } from "../../server/platform/file-storage/open-storage.ts";
import { readDiskSpace } from "../../server/platform/health/disk-part.ts";
import type { Services } from "../../server/services.ts";
import { command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, printAll } from "../options/json.ts";
import { findOrganization } from "../options/people.ts";
import { describeBytes } from "../terminal/bytes.ts";
import { safeLine } from "../terminal/terminal-text.ts";

const ways = ["channel", "person", "table"] as const;
type Way = (typeof ways)[number];

/** `kind`: what the line is about. `count`: of files; null: of something else. */
interface Line {
  kind: "database" | "table" | "files" | "backups" | "free" | Way;
  host: string | null;
  name: string;
  bytes: number;
  count: number | null;
}

type Measured = Pick<Services, "config" | "database" | "files" | "organizations">;

export const storage = command({
  usage: ["storage [--host HOST] [--by channel|person|table]"],
  details: `
Prints what takes room: the database, the files of each organization by their kind, backups in a
directory, and what is free. Works beside a running server. The files are counted where they lie, which
takes a while if there are very many.

With --by table it prints the tables of the database instead. With --by channel or --by person it prints
the uploads of one organization, the fifty largest and the others. An upload counts for the channel in
which it was linked first.`,
  options: {
    host: { value: "HOST", description: "The organization with this host name alone." },
    by: { value: "WHAT", description: "channel, person or table." },
    json: jsonOption,
  },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    const way = parseWay(values.by);
    const lines = await withInstallation(environment, (services) =>
      way === undefined ? measureAll(services, values.host) : measureBy(services, way, values.host),
    );
    const width = Math.max(...lines.map((line) => describeBytes(line.bytes).length), 0);
    printAll(
      values,
      lines,
      (line) => lineOf(line, width),
      (line) => line,
    );
    return exitCodes.ok;
  },
});

function parseWay(text: string | undefined): Way | undefined {
  if (text === undefined) return undefined;
  const way = ways.find((each) => each === text);
  if (way === undefined) throw new UsageError("--by is channel, person or table.");
  return way;
}

function lineOf({ host, name, bytes, count }: Line, width: number): string {
  const amount = count === null ? "" : `, ${count} ${count === 1 ? "file" : "files"}`;
  const what = host === null ? name : `${host}  ${name}`;
  return safeLine(`${describeBytes(bytes).padStart(width)}  ${what}${amount}`);
}

async function measureBy(services: Measured, way: Way, host: string | undefined): Promise<Line[]> {
  if (way === "table") {
    const tables = await measureTables(services);
    return tables.map(({ name, bytes }) => ({ kind: "table", host: null, name, bytes, count: null }));
  }
  const state = await findOrganization(services, host);
  const rooms =
    way === "person" ? await measurePeople(services, state) : await measureChannels(services, state);
  return rooms.map(({ name, bytes, count }) => ({ kind: way, host: null, name, bytes, count }));
}

async function measureAll(services: Measured, host: string | undefined): Promise<Line[]> {
  const bytes = await measureDatabase(services);
  return [
    ...(host === undefined
      ? [{ kind: "database" as const, host: null, name: "the database", bytes, count: null }]
      : []),
    ...(await measureOrganizations(services, host)),
    ...(host === undefined ? await measureMachine(services) : []),
  ];
}

/** A place that is away is told of beside the lines, which are of use without it. */
async function measureOrganizations(services: Measured, host: string | undefined): Promise<Line[]> {
  const only = host === undefined ? undefined : (await findOrganization(services, host)).organizationId;
  const hosts = new Map<number, string>();
  for (const each of await listAllOrganizations(services.database)) hosts.set(each.id, each.host);
  try {
    const lines: Line[] = [];
    for (const [id, rooms] of await measureFiles(services.files, only)) {
      const named = hosts.get(id) ?? `organization ${id}`;
      lines.push({ kind: "files", host: named, name: "all files", ...sum(rooms.values()) });
      const sorted = [...rooms].sort(([, a], [, b]) => b.bytes - a.bytes);
      for (const [name, room] of sorted) lines.push({ kind: "files", host: named, name, ...room });
    }
    return lines;
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error;
    process.stderr.write(`${error.message}\n`);
    return [];
  }
}

async function measureMachine({ config }: Pick<Services, "config">): Promise<Line[]> {
  const { dataDir, databaseUrl, s3 } = config;
  const lines: Line[] = [];
  const target = targetPlaceOf(config);
  if (target && target.s3 === undefined) {
    const archived = await measureDirectory(path.join(target.place, "log"));
    const all = await measureDirectory(target.place);
    if (all) lines.push({ kind: "backups", host: null, name: `backups in ${target.place}`, ...all });
    if (archived)
      lines.push({ kind: "backups", host: null, name: "of these the archive of the log", ...archived });
  }
  const disks = [
    ...(databaseUrl === undefined ? [dataDir] : []),
    ...(s3 === undefined ? [filesDirectory(config)] : []),
  ];
  for (const directory of disks) {
    const space = await readDiskSpace(directory).catch(() => undefined);
    if (space)
      lines.push({
        kind: "free",
        host: null,
        name: `free on the disk of ${directory}`,
        bytes: space.free,
        count: null,
      });
  }
  return lines;
}
