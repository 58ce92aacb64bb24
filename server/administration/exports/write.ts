/**
 * Writes an export to a file: the same for the job and for the command line. It joins what each module gives
 * (`server/module-exports.ts`). What the nodes keep in memory is written as it is at the beginning.
 */
import { type ExportType, exportTypes } from "../../../api/administration/exports.ts";
import {
  type ModuleExports,
  type RecordKind,
  type Records,
  type RecordsRequest,
  recordKinds,
} from "../../module-exports.ts";
import { organization } from "../../organization/organization.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { readHeads } from "../../platform/log/store.ts";
import { serverVersion } from "../../version.ts";
import { Archive, RecordFiles } from "./archive.ts";
import { writeFiles } from "./files.ts";
import { checkErasures, type WholeHead, writeRows, writeStoredFiles } from "./whole/write.ts";

export const FORMAT_VERSION = 1;
/** The version of an export of everything, whose records are rows. */
export const WHOLE_VERSION = 2;

export interface ExportRequest extends Omit<RecordsRequest, "state" | "upTo" | "type"> {
  /** `whole`: everything, for the server's operator. */
  type: ExportType | "whole";
  /** What the modules give. */
  given: readonly ModuleExports[];
  /** Where the pictures of emoji and other files lie. */
  files: FileStorage;
}

export interface WrittenExport {
  messages: number;
  /** How many files the storage should have, and has not. */
  lostFiles: number;
}

interface Written {
  counts: Record<string, number>;
  lostFiles: number;
}

/** Writes the file at a path where there is none yet. If that fails, it deletes what it wrote. */
export async function writeExport(
  state: OrganizationState,
  path: string,
  request: ExportRequest,
): Promise<WrittenExport> {
  const archive = await Archive.create(path);
  try {
    const { type, ...rest } = request;
    const written =
      type === "whole"
        ? await writeWhole(state, archive, rest)
        : await writeAll(state, archive, { ...rest, type });
    const { counts } = written;
    await archive.add("complete.json", lineOf({ counts, checksums: archive.checksums }));
    await archive.finish();
    return { messages: counts.messages ?? counts["tables/messages"] ?? 0, lostFiles: written.lostFiles };
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

async function writeAll(
  state: OrganizationState,
  archive: Archive,
  { given, files, ...request }: ExportRequest & { type: ExportType },
): Promise<Written> {
  await state.catchUp();
  const { head: upTo } = await readHeads(state.database, state.organizationId);
  const records = recordsOf(given, { ...request, state, upTo });
  await archive.add("format.json", lineOf(formatOf(request.type, upTo)));
  const counts: Record<string, number> = {};
  for (const [kind, ofKind] of records) {
    const written = new RecordFiles(archive, kind);
    for await (const record of ofKind) await written.add(record);
    await written.end();
    counts[kind] = written.count;
  }
  counts.files = await writeFiles(archive, files, state, { given, signal: request.signal });
  return { counts, lostFiles: 0 };
}

async function writeWhole(
  state: OrganizationState,
  archive: Archive,
  { files, signal, onProgress }: Omit<ExportRequest, "type">,
): Promise<Written> {
  await state.catchUp();
  const {
    counts,
    files: keys,
    readAt,
  } = await writeRows(state, archive, {
    signal,
    ...(onProgress && { onProgress }),
    onHead: (head) => archive.add("format.json", lineOf(wholeFormatOf(state, head))),
  });
  const stored = await writeStoredFiles(archive, files, state, { keys, signal });
  await checkErasures(state.database, state.organizationId, readAt);
  return { counts: { ...counts, files: stored.files }, lostFiles: stored.lost };
}

function wholeFormatOf(state: OrganizationState, { schema, logHead }: WholeHead) {
  const { id, host } = state.get(organization);
  return { ...formatOf("whole", logHead), organization_id: id, host, schema };
}

const typeNames = {
  [exportTypes.public]: "public",
  [exportTypes.fullWithConsent]: "full_with_consent",
  whole: "whole",
} as const;

function formatOf(type: ExportRequest["type"], upTo: number) {
  return {
    format: "parley-export",
    version: type === "whole" ? WHOLE_VERSION : FORMAT_VERSION,
    export_type: typeNames[type],
    exported_at: Math.floor(Date.now() / 1000),
    server_version: serverVersion,
    last_message_id: upTo,
  };
}

function lineOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** What the modules give, in the order of the kinds. */
function recordsOf(given: readonly ModuleExports[], request: RecordsRequest): [RecordKind, Records][] {
  const all = given.map(({ records }) => records?.(request) ?? {});
  return recordKinds.map((kind) => {
    const [records, ...others] = all.map((table) => table[kind]).filter((each) => each !== undefined);
    if (!records || others.length > 0) throw new Error(`one module must export ${kind}`);
    return [kind, records];
  });
}
