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
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { readHeads } from "../../platform/log/store.ts";
import { serverVersion } from "../../version.ts";
import { Archive, RecordFiles } from "./archive.ts";
import { writeFiles } from "./files.ts";

export const FORMAT_VERSION = 1;

export interface ExportRequest extends Omit<RecordsRequest, "state" | "upTo"> {
  /** What the modules give. */
  given: readonly ModuleExports[];
  /** Where the pictures of emoji and other files lie. */
  files: FileStorage;
}

/** Writes the file at a path where there is none yet. If that fails, it deletes what it wrote. */
export async function writeExport(
  state: OrganizationState,
  path: string,
  request: ExportRequest,
): Promise<{ messages: number }> {
  const archive = await Archive.create(path);
  try {
    const counts = await writeAll(state, archive, request);
    await archive.finish();
    return { messages: counts.messages ?? 0 };
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

async function writeAll(
  state: OrganizationState,
  archive: Archive,
  { given, files, ...request }: ExportRequest,
): Promise<Record<string, number>> {
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
  await archive.add("complete.json", lineOf({ counts }));
  return counts;
}

function formatOf(type: ExportType, upTo: number) {
  return {
    format: "parley-export",
    version: FORMAT_VERSION,
    export_type: type === exportTypes.public ? "public" : "full_with_consent",
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
