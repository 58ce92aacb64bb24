import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";

/** The records of an export by their kind, and the names of its files in their order. */
export interface ReadArchive {
  names: string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of many kinds
  records: Record<string, any[]>;
  text: string;
}

/** Reads the gzipped tar file of an export. */
export async function readArchive(bytes: Buffer): Promise<ReadArchive> {
  const archive = extract();
  const read: ReadArchive = { names: [], records: {}, text: "" };
  const done = pipeline(Readable.from([bytes]), createGunzip(), archive);
  for await (const entry of archive) {
    const { name } = entry.header;
    const content = await text(entry);
    read.names.push(name);
    read.text += content;
    const kind = name.split("/")[1]?.replace(/\.json$/, "") ?? "";
    const lines = content.split("\n").slice(0, -1);
    read.records[kind] = [...(read.records[kind] ?? []), ...lines.map((line) => JSON.parse(line))];
  }
  await done;
  return read;
}
