import type { Row } from "../archive/row.ts";
import { textOf } from "../archive/row.ts";
import type { Archive, ArchiveFile } from "../archive/unpack.ts";
import type { SourceEmoji, SourceUpload } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { rowsOf } from "../texts/attachments.ts";
import { labelOf } from "../texts/link.ts";
import { fileReference } from "../texts/references.ts";

/** Where files lie in an archive. Records name them with or without it. */
const FOLDER = "data/";

export class MattermostFiles {
  readonly uploads: SourceUpload[] = [];
  readonly #archive: Archive;
  readonly #byPath = new Map<string, SourceUpload>();

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  note(post: Row, sender: { ownerId: string; sentAt: number }, report: Report): void {
    for (const attachment of rowsOf(post.attachments)) {
      const path = pathOf(attachment, "path");
      if (path === "" || this.#byPath.has(path)) continue;
      report.found("files");
      const upload = {
        // In texts it stands for the path, which may have any characters.
        id: String(this.uploads.length + 1),
        fileName: nameOf(path),
        ownerId: sender.ownerId,
        createdAt: new Date(sender.sentAt),
        file: this.find(path),
      };
      this.#byPath.set(path, upload);
      this.uploads.push(upload);
    }
  }

  /** A link for each file of a message. One that the archive lacks has its name there. */
  linksOf(post: Row, report: Report): string[] {
    return rowsOf(post.attachments).map((attachment) => {
      const path = pathOf(attachment, "path");
      const upload = this.#byPath.get(path);
      const label = labelOf(nameOf(path)) || "file";
      if (upload?.file) return fileReference(upload.id, label, "");
      if (!upload) report.lose("files without a path became a word");
      return label;
    });
  }

  find(path: string): ArchiveFile | undefined {
    const { files } = this.#archive;
    const inFolder = FOLDER + path;
    return files.get(inFolder) ?? files.get(path);
  }

  emojiOf(row: Row, report: Report): SourceEmoji {
    report.found("emoji");
    const name = textOf(row, "name") ?? "";
    return { id: name, name, authorId: undefined, isActive: true, file: this.find(pathOf(row, "image")) };
  }
}

/** Without the folder. Names of files in an archive are in this form too. */
function pathOf(row: Row, field: string): string {
  const path = (textOf(row, field) ?? "").normalize("NFC").replace(/^(?:\.?\/)+/, "");
  return path.startsWith(FOLDER) ? path.slice(FOLDER.length) : path;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
