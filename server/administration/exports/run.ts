/**
 * How a job makes a file: an export, or a copy of somebody's own data. Each run starts from the beginning,
 * with a file of its own. A run is known by an id in the row, and the newest run is the one that counts. An
 * older run that was thought to be dead finds that out at its next step, and ends. It leaves nothing behind.
 */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { isDatabaseUnavailable } from "../../platform/db/database-unavailable.ts";
import { isServerBusy } from "../../platform/db/server-busy.ts";
import { type Change, runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import type { MadeFile, RunStore } from "./run-store.ts";

/** A run that the server did not survive may be the reason why it did not. */
const MAX_STARTS = 4;
/** The row gets the progress at steps of this size, and not more than one a second. */
const STEP_PERCENT = 5;
const STEP_MS = 1000;

export type RunServices = Pick<Services, "files" | "keyring" | "log">;

/** What differs between the files that are made. */
export interface FileKind<Row extends MadeFile> {
  store: RunStore<Row>;
  /** The folder, within that of the organization, in the file storage. */
  folder: string;
  /** What the log says of one that failed. */
  failed: string;
  /** Why the file may not be made, or not be kept; undefined if it may. */
  refusalOf(state: OrganizationState, row: Row): string | undefined;
  /** In the change of the row. `step`: what became of it. */
  announce(tx: Change, row: Row, step: "progress" | "done" | "failed"): Promise<void>;
  /** Writes the file at a path where there is none yet. */
  write(state: OrganizationState, row: Row, path: string, request: WriteRequest): Promise<void>;
}

export interface WriteRequest {
  files: Services["files"];
  signal: AbortSignal;
  onProgress(percent: number): Promise<void>;
}

interface Run<Row extends MadeFile> {
  kind: FileKind<Row>;
  services: RunServices;
  state: OrganizationState;
  row: Row;
  id: string;
  signal: AbortSignal;
}

/** Another run works on the file by now, or it is not pending any more. */
class Superseded extends Error {}

/** One run. It throws only what passes, so that the queue of jobs tries again. */
export async function makeFile<Row extends MadeFile>(
  kind: FileKind<Row>,
  services: RunServices,
  state: OrganizationState,
  fileId: number,
  signal: AbortSignal,
): Promise<void> {
  await state.catchUp();
  const id = randomUUID();
  const row = await begin(kind, state, fileId, id);
  if (row) await make({ kind, services, state, row, id, signal });
}

/** Claims the file. undefined: it is not pending, or has failed now. */
function begin<Row extends MadeFile>(
  kind: FileKind<Row>,
  state: OrganizationState,
  fileId: number,
  runId: string,
): Promise<Row | undefined> {
  return runContentChange(state, async (tx) => {
    const row = await kind.store.startRun(tx, state.organizationId, fileId, runId);
    if (!row) return undefined;
    const reason =
      row.starts > MAX_STARTS
        ? `The server stopped in the middle of it ${MAX_STARTS} times.`
        : kind.refusalOf(state, row);
    if (reason === undefined) return row;
    await fail(tx, kind, row, runId, reason);
    return undefined;
  });
}

async function make<Row extends MadeFile>(run: Run<Row>): Promise<void> {
  const { kind, services, state, row, id: runId, signal } = run;
  const path = await services.files.temporaryPath();
  try {
    await removeOldFile(run);
    await kind.write(state, row, path, { files: services.files, signal, onProgress: progressOf(run) });
    await keep(run, path);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (signal.aborted)
      await kind.store.uncountStart(state.database, state.organizationId, row.id, runId).catch(() => {});
    // What passes is tried again by the queue of jobs.
    if (signal.aborted || isDatabaseUnavailable(error) || isServerBusy(error)) throw error;
    // What is written may find out first that the work is not allowed any more.
    await state.catchUp();
    const refusal = kind.refusalOf(state, row);
    if (refusal !== undefined) {
      await runContentChange(state, (tx) => fail(tx, kind, row, runId, refusal));
      return;
    }
    services.log.error({ err: error, organizationId: state.organizationId, exportId: row.id }, kind.failed);
    await runContentChange(state, (tx) => fail(tx, kind, row, runId, reasonOf(error)));
  } finally {
    await rm(path, { force: true });
  }
}

/** An earlier run may have stored its file and stopped before it could say so. */
async function removeOldFile<Row extends MadeFile>({ kind, services, state, row }: Run<Row>): Promise<void> {
  if (row.fileKey === null) return;
  await services.files.delete(row.fileKey);
  await kind.store.clearFileKey(state.database, state.organizationId, row.id, row.fileKey);
}

/** Stores the file under a key that nobody can guess, and ends the work on it. */
async function keep<Row extends MadeFile>(
  { kind, services, state, row, id: runId }: Run<Row>,
  path: string,
): Promise<void> {
  const { organizationId, database } = state;
  const fileKey = `${organizationId}/${kind.folder}/${services.keyring.newToken()}.tar.gz`;
  // Noted first, so that the clean-up finds the file whatever happens.
  if (!(await kind.store.updateFileKey(database, organizationId, { id: row.id, runId, fileKey })))
    throw new Superseded();
  await services.files.put(fileKey, { path, contentType: "application/gzip" });
  await state.catchUp();
  const isKept = await runContentChange(state, async (tx) => {
    const reason = kind.refusalOf(state, row);
    if (reason !== undefined) {
      await fail(tx, kind, row, runId, reason);
      return false;
    }
    if (!(await kind.store.end(tx, organizationId, row.id, { status: "done", runId }))) return false;
    await kind.announce(tx, row, "done");
    return true;
  });
  if (isKept) return;
  await services.files.delete(fileKey);
  await kind.store.clearFileKey(database, organizationId, row.id, fileKey);
}

async function fail<Row extends MadeFile>(
  tx: Change,
  kind: FileKind<Row>,
  row: Row,
  runId: string,
  reason: string,
): Promise<void> {
  const { organizationId } = tx.state;
  if (await kind.store.end(tx, organizationId, row.id, { status: "failed", runId, reason })) {
    await kind.announce(tx, row, "failed");
  }
}

/** Writes progress to the row, so that others see the run alive. Throws Superseded. */
function progressOf<Row extends MadeFile>({
  kind,
  state,
  row,
  id: runId,
}: Run<Row>): (percent: number) => Promise<void> {
  let [announced, writtenAt] = [0, Date.now()];
  return async (percent) => {
    if (Date.now() - writtenAt < STEP_MS) return;
    writtenAt = Date.now();
    const isStep = percent - announced >= STEP_PERCENT;
    const progress = { id: row.id, runId, progress: isStep ? percent : announced };
    if (!isStep) {
      if (!(await kind.store.updateProgress(state.database, state.organizationId, progress)))
        throw new Superseded();
      return;
    }
    announced = percent;
    await runContentChange(state, async (tx) => {
      if (!(await kind.store.updateProgress(tx, state.organizationId, progress))) throw new Superseded();
      await kind.announce(tx, row, "progress");
    });
  };
}

/** For people who may not be those who run the server. */
function reasonOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (code === "ENOSPC" || code === "EDQUOT") return "The server had no space left for its file.";
  return "The server had an error, which its log describes.";
}
