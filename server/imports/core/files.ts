/**
 * The pictures of emoji and the uploads. Each is stored by itself, so an interrupted import goes on with the
 * next.
 */
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { pastEmojiName, storePastEmoji, storePastUpload } from "../../content/past.ts";
import type { UploadsOfText } from "../../content/uploads/links.ts";
import type { Services } from "../../services.ts";
import type { ArchiveFile } from "../archive/unpack.ts";
import { cutTo, plainLine } from "./names.ts";
import type { ImportSource, SourceEmoji } from "./records.ts";
import type { Report } from "./report.ts";
import { insertSources, listSources, listStoredUploads } from "./store.ts";

type Uses = Pick<Services, "database" | "files">;

const MAX_FILE_NAME = 200;

interface Target {
  organizationId: OrganizationId;
  source: ImportSource;
  people: ReadonlyMap<string, UserId>;
  fallbackOwner: UserId;
  signal: AbortSignal | undefined;
}

/** Emoji that have a picture, and a name that is allowed and free. The others are told to the report. */
export function* emojiToCome(
  { emoji }: Pick<ImportSource, "emoji">,
  report: Report,
): Generator<SourceEmoji & { file: ArchiveFile; given: string }> {
  const names = new Set<string>();
  for (const each of emoji) {
    const { name: given, isActive, file } = each;
    const name = pastEmojiName(given.toLowerCase());
    if (name === undefined || (isActive && names.has(name))) {
      report.lose("emoji whose name is taken or not allowed here do not come", given);
      continue;
    }
    if (isActive) names.add(name);
    if (file) yield { ...each, name, given, file };
    else report.lose("emoji without their picture in the archive do not come", given);
  }
}

/** The ids of emoji, by those of the source. */
export async function writeEmoji(uses: Uses, target: Target, report: Report): Promise<Map<string, number>> {
  const { organizationId, source, people } = target;
  const known = await idsOf(uses, organizationId, "emoji");
  for (const { id, name, given, authorId, isActive, file } of emojiToCome(source, report)) {
    if (known.has(id)) {
      report.taken("emoji");
      continue;
    }
    target.signal?.throwIfAborted();
    const emoji = { name, authorId: people.get(authorId ?? "") ?? null, isActive, path: file.path };
    const written = await storePastEmoji(uses, organizationId, emoji, (tx, row) =>
      insertSources(tx, organizationId, source.name, "emoji", [[id, row]]),
    );
    if (written === undefined) {
      report.lose("emoji whose file is no picture do not come", given);
      continue;
    }
    known.set(id, written);
    report.taken("emoji");
  }
  return known;
}

/** The path of each upload by its id in the source, and the uploads by their paths. */
export interface WrittenUploads {
  paths: ReadonlyMap<string, string>;
  byPath: UploadsOfText;
}

export async function writeUploads(uses: Uses, target: Target, report: Report): Promise<WrittenUploads> {
  const { organizationId, source, people, fallbackOwner } = target;
  const known = await idsOf(uses, organizationId, "upload");
  for (const { id, fileName, ownerId, createdAt, file } of source.uploads) {
    if (!known.has(id)) {
      if (!file) {
        report.lose("files that are not in the archive do not come", fileName);
        continue;
      }
      target.signal?.throwIfAborted();
      const name = cutTo(plainLine(fileName), MAX_FILE_NAME) || "file";
      const given = {
        path: file.path,
        fileName: name,
        ownerId: people.get(ownerId) ?? fallbackOwner,
        createdAt,
      };
      await storePastUpload(uses, organizationId, given, async (tx, upload) => {
        await insertSources(tx, organizationId, source.name, "upload", [[id, upload.id]]);
        known.set(id, upload.id);
      });
    }
    report.taken("files");
  }
  const stored = await listStoredUploads(uses.database, organizationId);
  const byId = new Map(stored.map((upload) => [upload.id, upload]));
  return {
    paths: new Map(
      [...known].flatMap(([id, row]) => {
        const path = byId.get(row)?.path;
        return path === undefined ? [] : [[id, path] as const];
      }),
    ),
    byPath: new Map(stored.map((upload) => [upload.path, upload])) as unknown as UploadsOfText,
  };
}

async function idsOf(
  { database }: Uses,
  organizationId: OrganizationId,
  kind: "emoji" | "upload",
): Promise<Map<string, number>> {
  return new Map(
    (await listSources(database, organizationId, kind)).map(({ sourceId, id }) => [sourceId, id]),
  );
}
