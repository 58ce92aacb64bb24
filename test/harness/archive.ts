import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";

/** The records of an export by their kind, and the names of its files in their order. */
export interface ReadArchive {
  names: string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of many kinds
  records: Record<string, any[]>;
  text: string;
  /** Stored files by their path in the export. */
  files: Map<string, Buffer>;
}

/** Reads the gzipped tar file of an export. */
export async function readArchive(bytes: Buffer): Promise<ReadArchive> {
  const archive = extract();
  const read: ReadArchive = { names: [], records: {}, text: "", files: new Map() };
  const done = pipeline(Readable.from([bytes]), createGunzip(), archive);
  for await (const entry of archive) {
    const { name } = entry.header;
    const bytes = await buffer(entry);
    read.names.push(name);
    const path = name.split("/").slice(1).join("/");
    if (path.startsWith("files/")) {
      read.files.set(path, bytes);
      continue;
    }
    const content = bytes.toString();
    read.text += content;
    if (name.endsWith(".txt")) continue;
    const kind = path.replace(/(\.json|\/\d+\.jsonl)$/, "");
    const lines = content.split("\n").slice(0, -1);
    read.records[kind] = [...(read.records[kind] ?? []), ...lines.map((line) => JSON.parse(line))];
  }
  await done;
  return read;
}
