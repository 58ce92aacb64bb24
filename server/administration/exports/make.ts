/**
 * The job that makes an export. Each run starts from the beginning, with a file of its own. A run is known by
 * an id in the export's row, and the newest run is the one that counts. An older run that was thought to be
 * dead finds that out at its next step, and ends. It leaves nothing behind.
 */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { Type } from "typebox";
import type { OrganizationId } from "../../../api/ids.ts";
import type { ModuleExports } from "../../module-exports.ts";
import { organization } from "../../organization/organization.ts";
import { users } from "../../people/user.ts";
import { isDatabaseUnavailable } from "../../platform/db/database-unavailable.ts";
import { isServerBusy } from "../../platform/db/server-busy.ts";
import { DEFAULT_ATTEMPTS, defineJob } from "../../platform/jobs/job.ts";
import { type Change, runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { announceExports, mayExport } from "./events.ts";
import {
  clearFileKey,
  type Export,
  endExport,
  startRun,
  uncountStart,
  updateFileKey,
  updateProgress,
} from "./store.ts";
import { writeExport } from "./write.ts";

/** A run that the server did not survive may be the reason why it did not. */
const MAX_STARTS = 4;
/** Administrators get an event at steps of this size, and not more than one a second. */
const STEP_PERCENT = 5;
const STEP_MS = 1000;

interface Run {
  services: Pick<Services, "files" | "keyring" | "log">;
  given: readonly ModuleExports[];
  state: OrganizationState;
  row: Export;
  id: string;
  signal: AbortSignal;
}

/** What is enqueued. The job itself also has what the modules give. */
export const exportToMake = {
  name: "make_export",
  payload: Type.Object({ organizationId: Type.Integer(), exportId: Type.Integer() }),
  attempts: DEFAULT_ATTEMPTS,
};

export const makeExport = (given: () => readonly ModuleExports[]) =>
  defineJob({
    ...exportToMake,
    async run(
      services: Pick<Services, "files" | "keyring" | "log" | "organizations">,
      { organizationId, exportId },
      { signal },
    ) {
      const state = await services.organizations.byId(organizationId as OrganizationId);
      await state.catchUp();
      const id = randomUUID();
      const row = await begin(state, exportId, id);
      if (row) await make({ services, given: given(), state, row, id, signal });
    },
  });

/** Another run works on the export by now, or it is not pending any more. */
class Superseded extends Error {}

/** Why the export may not be made, or not be kept; undefined if it may. */
function refusalOf(state: OrganizationState, { actingUserId }: Export): string | undefined {
  if (!state.get(organization).isActive) return "The organization was deactivated.";
  if (mayExport(state.get(users).byId.get(actingUserId))) return undefined;
  return "The person who asked for it is no longer an administrator.";
}

/** Claims the export. undefined: it is not pending, or has failed now. */
function begin(state: OrganizationState, exportId: number, runId: string): Promise<Export | undefined> {
  return runContentChange(state, async (tx) => {
    const row = await startRun(tx, state.organizationId, exportId, runId);
    if (!row) return undefined;
    const reason =
      row.starts > MAX_STARTS
        ? `The server stopped in the middle of it ${MAX_STARTS} times.`
        : refusalOf(state, row);
    if (reason === undefined) return row;
    await fail(tx, exportId, runId, reason);
    return undefined;
  });
}

async function make(run: Run): Promise<void> {
  const { services, given, state, row, id: runId, signal } = run;
  const path = await services.files.temporaryPath();
  try {
    await removeOldFile(run);
    const reader = state.get(users).byId.get(row.actingUserId);
    const onProgress = progressOf(run);
    const { files } = services;
    await writeExport(state, path, { type: row.type, reader, given, files, signal, onProgress });
    await keep(run, path);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (signal.aborted)
      await uncountStart(state.database, state.organizationId, row.id, runId).catch(() => {});
    // What passes is tried again by the queue of jobs.
    if (signal.aborted || isDatabaseUnavailable(error) || isServerBusy(error)) throw error;
    services.log.error(
      { err: error, organizationId: state.organizationId, exportId: row.id },
      "an export failed",
    );
    await runContentChange(state, (tx) => fail(tx, row.id, runId, reasonOf(error)));
  } finally {
    await rm(path, { force: true });
  }
}

/** An earlier run may have stored its file and stopped before it could say so. */
async function removeOldFile({ services, state, row }: Run): Promise<void> {
  if (row.fileKey === null) return;
  await services.files.delete(row.fileKey);
  await clearFileKey(state.database, state.organizationId, row.id, row.fileKey);
}

/** Stores the file under a key that nobody can guess, and ends the export. */
async function keep({ services, state, row, id: runId }: Run, path: string): Promise<void> {
  const { organizationId, database } = state;
  const fileKey = `${organizationId}/exports/${services.keyring.newToken()}.tar.gz`;
  // Noted first, so that the clean-up finds the file whatever happens.
  if (!(await updateFileKey(database, organizationId, { id: row.id, runId, fileKey })))
    throw new Superseded();
  await services.files.put(fileKey, { path, contentType: "application/gzip" });
  await state.catchUp();
  const isKept = await runContentChange(state, async (tx) => {
    const reason = refusalOf(state, row);
    if (reason !== undefined) {
      await fail(tx, row.id, runId, reason);
      return false;
    }
    if (!(await endExport(tx, organizationId, row.id, { status: "done", runId }))) return false;
    await announceExports(tx);
    return true;
  });
  if (isKept) return;
  await services.files.delete(fileKey);
  await clearFileKey(database, organizationId, row.id, fileKey);
}

async function fail(tx: Change, exportId: number, runId: string, reason: string): Promise<void> {
  const { organizationId } = tx.state;
  if (await endExport(tx, organizationId, exportId, { status: "failed", runId, reason })) {
    await announceExports(tx);
  }
}

/** Writes progress to the row, so that others see the run alive. Throws Superseded. */
function progressOf({ state, row, id: runId }: Run): (percent: number) => Promise<void> {
  let [announced, writtenAt] = [0, Date.now()];
  return async (percent) => {
    if (Date.now() - writtenAt < STEP_MS) return;
    writtenAt = Date.now();
    const isStep = percent - announced >= STEP_PERCENT;
    const progress = { id: row.id, runId, progress: isStep ? percent : announced };
    if (!isStep) {
      if (!(await updateProgress(state.database, state.organizationId, progress))) throw new Superseded();
      return;
    }
    announced = percent;
    await runContentChange(state, async (tx) => {
      if (!(await updateProgress(tx, state.organizationId, progress))) throw new Superseded();
      await announceExports(tx);
    });
  };
}

/** For administrators, who may not be those who run the server. */
function reasonOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (code === "ENOSPC" || code === "EDQUOT") return "The server had no space left for its file.";
  return "The server had an error, which its log describes.";
}
