/**
 * Deletes uploads that no message links, and files that no row needs. A file is deleted before the row that
 * says so, so that a crash between the two only does it twice.
 */
import { rm } from "node:fs/promises";
import { Type } from "typebox";
import type { OrganizationId } from "../../../api/ids.ts";
import { UNLINKED_UPLOAD_DAYS } from "../../../api/limits.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { removeUploads } from "./actions.ts";
import { deleteFilesNow } from "./delete-files.ts";
import { deleteExpiredPartial, listExpiredPartials } from "./partial/store.ts";
import { listFilesToDelete, listOrganizationsWithUnlinked, listUnlinked, lockAttachments } from "./store.ts";

const DAY_MS = 24 * 3600 * 1000;
/** How many uploads one transaction deletes, and how many files are listed at once. */
const AT_ONCE = 200;
const RUN_MS = 60_000;

export const cleanUpUploads = definePeriodicJob({
  name: "clean_up_uploads",
  schedule: "47 * * * *",
  async run(services: Pick<Services, "database" | "files">, { signal }) {
    await services.database.transaction(
      async (tx) => {
        for (const organizationId of await listOrganizationsWithUnlinked(tx, cutoff())) {
          await enqueue(tx, cleanUpUploadsOf, { organizationId }, { key: String(organizationId) });
        }
      },
      { lane: "background" },
    );
    await deleteExpired(services, signal);
    await deleteDueFiles(services, signal);
  },
});

export const cleanUpUploadsOf = defineJob({
  name: "clean_up_uploads_of",
  payload: Type.Object({ organizationId: Type.Integer() }),
  async run(
    services: Pick<Services, "database" | "files" | "organizations">,
    { organizationId },
    { signal },
  ) {
    const state = await services.organizations.byId(organizationId as OrganizationId);
    const endsAt = Date.now() + RUN_MS;
    while ((await removeSome(state)) === AT_ONCE && Date.now() < endsAt) signal.throwIfAborted();
    await deleteDueFiles(services, signal);
  },
});

function cutoff(): Date {
  return new Date(Date.now() - UNLINKED_UPLOAD_DAYS * DAY_MS);
}

async function removeSome(state: OrganizationState): Promise<number> {
  const { organizationId } = state;
  return runContentChange(state, async (tx) => {
    const ids = await listUnlinked(tx, organizationId, cutoff(), AT_ONCE);
    const uploads = await lockAttachments(tx, organizationId, ids, 0);
    if (uploads.length > 0) await removeUploads(tx, uploads);
    return uploads.length;
  });
}

/** The rests of files that never arrived whole. The file goes first, so that a crash leaves none. */
async function deleteExpired(
  { database, files }: Pick<Services, "database" | "files">,
  signal: AbortSignal,
): Promise<void> {
  const endsAt = Date.now() + RUN_MS;
  for (let isMore = true; isMore && Date.now() < endsAt; ) {
    signal.throwIfAborted();
    const expired = await listExpiredPartials(database, AT_ONCE);
    for (const { organizationId, id } of expired) {
      await rm(await files.partialPath(id), { force: true });
      await deleteExpiredPartial(database, organizationId, id);
    }
    isMore = expired.length === AT_ONCE;
  }
}

/** What can't be deleted now stays for the next run. */
async function deleteDueFiles(
  services: Pick<Services, "database" | "files">,
  signal: AbortSignal,
): Promise<void> {
  const endsAt = Date.now() + RUN_MS;
  for (let isMore = true; isMore && Date.now() < endsAt; ) {
    signal.throwIfAborted();
    const due = await listFilesToDelete(services.database, AT_ONCE);
    for (const { organizationId, key } of due) await deleteFilesNow(services, organizationId, [key]);
    isMore = due.length === AT_ONCE;
  }
}
