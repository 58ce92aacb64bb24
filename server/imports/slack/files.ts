import { dateOf, isRow, type Row, textOf } from "../archive/row.ts";
import type { Archive } from "../archive/unpack.ts";
import type { SourceUpload } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { rowsOf } from "../texts/attachments.ts";
import { escaped } from "../texts/escaped.ts";
import { fileReference } from "../texts/references.ts";
import { slackLink } from "./mrkdwn.ts";
import { slackId } from "./people.ts";

const EPOCH = new Date(0);
/** Where programs put files that Slack leaves out of its exports. */
const IN_ARCHIVE = /(?:^__uploads\/([A-Z0-9]+)\/|\/attachments\/([A-Z0-9]+)-)([^/]+)$/;

export class SlackFiles {
  readonly uploads: SourceUpload[] = [];
  readonly #seen = new Set<string>();
  readonly #names = new Map<string, string>();
  readonly #archive: Archive;

  constructor(archive: Archive) {
    this.#archive = archive;
    for (const name of archive.files.keys()) {
      const [, id, other] = IN_ARCHIVE.exec(name) ?? [];
      const fileId = id ?? other;
      if (fileId !== undefined) this.#names.set(fileId, name);
    }
  }

  note(message: Row, senderId: string, report: Report): void {
    for (const file of filesOf(message)) {
      const id = slackId(file, "id");
      if (id === undefined || file.mode === "external" || this.#seen.has(id)) continue;
      this.#seen.add(id);
      report.found("files");
      this.uploads.push({
        id,
        fileName: textOf(file, "name") || textOf(file, "title") || id,
        ownerId: slackId(file, "user") ?? senderId,
        createdAt: dateOf(file, "timestamp") ?? dateOf(file, "created") ?? EPOCH,
        file: this.#archive.files.get(this.#names.get(id) ?? ""),
      });
    }
  }
}

export function filesOf(message: Row): Row[] {
  return [...rowsOf(message.files), ...(isRow(message.file) ? [message.file] : [])];
}

/** A reference to a file of Slack's, or a link to one elsewhere. */
export function linkToFile(file: Row, report: Report): string {
  const name = (textOf(file, "name") || textOf(file, "title") || "file").replace(/[[\]\n:]/g, " ");
  const id = slackId(file, "id");
  if (file.mode === "external") return slackLink(textOf(file, "url_private") ?? "", name);
  const address = addressOf(file);
  if (id !== undefined && address !== undefined) return fileReference(id, escaped(name), address);
  report.lose("files without an id or an address became their names", name);
  return escaped(name);
}

/** Without what follows the path: exports have a key to all files there. */
function addressOf(file: Row): string | undefined {
  const address = textOf(file, "url_private") ?? "";
  if (!/^https:\/\//.test(address) || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`.replaceAll("(", "%28").replaceAll(")", "%29");
}
