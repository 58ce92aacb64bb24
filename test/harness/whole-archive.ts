/** Exports of everything that somebody has changed. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { type ArchiveOnDisk, writeArchive } from "./zulip-export.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests write what no declaration allows
type AnyRow = Record<string, any>;

const FOLDER = "parley-export/";

export class WholeArchive {
  /** By name, without the folder, in the order of the archive. */
  readonly files: Map<string, Buffer>;

  private constructor(files: Map<string, Buffer>) {
    this.files = files;
  }

  static async read(path: string): Promise<WholeArchive> {
    const tar = extract();
    const files = new Map<string, Buffer>();
    Readable.from([await readFile(path)])
      .pipe(createGunzip())
      .pipe(tar);
    for await (const entry of tar) files.set(entry.header.name.slice(FOLDER.length), await buffer(entry));
    return new WholeArchive(files);
  }

  copy(): WholeArchive {
    return new WholeArchive(new Map(this.files));
  }

  rows(table: string): AnyRow[] {
    const text = this.files.get(`tables/${table}/000001.jsonl`)?.toString() ?? "";
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  }

  /** Changes the rows of a table, as somebody does who also makes the sums fit. */
  change(table: string, change: (rows: AnyRow[]) => AnyRow[]): this {
    const rows = change(this.rows(table));
    this.files.set(
      `tables/${table}/000001.jsonl`,
      Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join("")),
    );
    const complete = JSON.parse(String(this.files.get("complete.json")));
    complete.counts[`tables/${table}`] = rows.length;
    this.files.set("complete.json", Buffer.from(JSON.stringify(complete)));
    return this;
  }

  changeHead(fields: AnyRow): this {
    const head = JSON.parse(String(this.files.get("format.json")));
    this.files.set("format.json", Buffer.from(JSON.stringify({ ...head, ...fields })));
    return this;
  }

  /** `withSums`: made to fit the files. */
  async write({ withSums = true } = {}): Promise<ArchiveOnDisk> {
    if (withSums && this.files.has("complete.json")) {
      const complete = JSON.parse(String(this.files.get("complete.json")));
      complete.checksums = {};
      for (const [name, bytes] of this.files) {
        if (name.startsWith("files/") || name === "complete.json") continue;
        complete.checksums[name] = createHash("sha256").update(bytes).digest("hex");
      }
      this.files.set("complete.json", Buffer.from(JSON.stringify(complete)));
    }
    return writeArchive([...this.files].map(([name, content]) => ({ name: FOLDER + name, content })));
  }
}
