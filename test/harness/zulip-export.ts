/** Archives in the form of Zulip's exports, made of what a test says. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";

export type Tables = Record<string, object[]>;

interface Entry {
  name: string;
  content: string | Buffer;
  type?: string;
}

/** A gzipped tar file in a folder of its own, which `remove` deletes. */
export interface ArchiveOnDisk {
  path: string;
  folder: string;
  remove(): Promise<void>;
}

export async function writeArchive(entries: readonly Entry[]): Promise<ArchiveOnDisk> {
  const tar = pack();
  for (const { name, content, type } of entries) {
    const bytes = Buffer.from(content);
    const header = { name, size: bytes.length, ...(type && { type, linkname: "/etc/passwd" }) };
    tar.entry(header, () => {}).end(bytes);
  }
  tar.finalize();
  const folder = await mkdtemp(join(tmpdir(), "parley-import-"));
  const path = join(folder, "export.tar.gz");
  await writeFile(path, await buffer(tar.pipe(createGzip())));
  return { path, folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** `messages`: files of messages. `files`: others, by their names. */
export function zulipEntries(
  realm: Tables,
  messages: readonly Tables[],
  files: Record<string, string | Buffer> = {},
): Entry[] {
  return [
    { name: "export/realm.json", content: JSON.stringify(realm) },
    { name: "export/stats.json", content: "{}" },
    ...messages.map((tables, index) => ({
      name: `export/messages-${String(index + 1).padStart(6, "0")}.json`,
      content: JSON.stringify(tables),
    })),
    ...Object.entries(files).map(([name, content]) => ({ name: `export/${name}`, content })),
  ];
}

/**
 * An owner, members and a guest by their ids: `ann` 11, `ben` 12, `cat` 13, `dan` 14, deactivated `eve` 15.
 */
export const zulipPeople = (
  [
    [11, "Ann Lind", "ann@old.test", 100, true],
    [12, "Ben Berg", "ben@old.test", 400, true],
    [13, "Ann Lind", "cat@old.test", 400, true],
    [14, "Dan Dietz", "dan@old.test", 600, true],
    [15, "Eve Ek", "eve@old.test", 400, false],
  ] as const
).map(([id, full_name, delivery_email, role, is_active]) => ({
  ...{ id, full_name, delivery_email, role, is_active, email: `user${id}@old.test`, is_bot: false },
  ...{ date_joined: 1_600_000_000, timezone: "Europe/Berlin" },
}));

/** A message; `recipient` is of the table of recipients. */
export function zulipMessage(
  id: number,
  [sender, recipient]: readonly [number, number],
  content: string,
  fields: object = {},
): object {
  return {
    ...{ id, sender, recipient, subject: "plan", content, date_sent: 1_600_000_000 + id, sending_client: 1 },
    ...fields,
  };
}
