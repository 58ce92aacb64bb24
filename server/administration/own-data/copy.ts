/** What people do with the copy of their own data, and the job that makes it. */
import { Type } from "typebox";
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationId } from "../../../api/ids.ts";
import { EXPORT_FILE_DAYS, MAX_FAILED_COPIES_A_DAY } from "../../../api/limits.ts";
import { postMessage } from "../../messages/send/post.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { DEFAULT_ATTEMPTS, defineJob } from "../../platform/jobs/job.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { type FileKind, makeFile, type RunServices } from "../exports/run.ts";
import {
  countCopiesOfDay,
  findNewestCopy,
  insertOwnCopy,
  listCopiesWithFile,
  type OwnCopy,
  ownCopies,
} from "./copy-store.ts";
import { writeOwnData } from "./write.ts";

/** Whether an account may have such a copy, and fetch it. */
export function mayCopy(user: User | undefined): user is User {
  return user?.isActive === true && user.botType === null && !user.isErased;
}

/** Bots have an owner, who asks for what is theirs. */
export function checkPerson({ user }: { user: User }): void {
  if (!mayCopy(user)) throw new ApiError(errors.botsNotAccepted);
}

/**
 * Begins a copy, and ends the one before. Throws `exportPending` or `tooManyExports`. Run it as a change of
 * state: these come one after another, so two calls never begin two.
 */
export async function createCopy(tx: ViewerChange): Promise<void> {
  checkPerson(tx.viewer);
  const { organizationId } = tx.state;
  const { id: userId } = tx.viewer.user;
  const { made, failed, isPending } = await countCopiesOfDay(tx, organizationId, userId);
  if (isPending) throw new ApiError(errors.exportPending);
  if (made > 0 || failed >= MAX_FAILED_COPIES_A_DAY) throw new ApiError(errors.tooManyExports);
  for (const { id } of await listCopiesWithFile(tx, organizationId, userId))
    await ownCopies.markDeleted(tx, organizationId, id);
  const { id: copyId } = await insertOwnCopy(tx, organizationId, userId);
  await enqueue(tx, copyToMake, { organizationId, copyId }, { key: `${organizationId}:${copyId}` });
  await recordAudit(tx, { action: "own_data_requested", targetId: userId });
}

/** The newest copy, with its file. Throws `noSuchExport`, and for one without a file why it has none. */
export async function accessCopy(tx: ViewerChange): Promise<OwnCopy> {
  checkPerson(tx.viewer);
  const row = await findNewestCopy(tx, tx.state.organizationId, tx.viewer.user.id);
  if (!row) throw new ApiError(errors.noSuchExport);
  if (row.status === "pending") throw new ApiError(errors.exportStillPending);
  if (row.status === "failed") throw new ApiError(errors.exportFailed);
  if (row.status === "deleted") throw new ApiError(errors.exportAlreadyDeleted);
  return row;
}

/** Marks the file as deleted. The caller deletes it after the commit. Throws what `accessCopy` throws. */
export async function deleteCopy(tx: ViewerChange): Promise<OwnCopy> {
  const row = await accessCopy(tx);
  await ownCopies.markDeleted(tx, tx.state.organizationId, row.id);
  return row;
}

/** When the file of a copy is deleted; undefined without one. */
export function expiryOf({ status, endedAt }: OwnCopy): Date | undefined {
  if (status !== "done" || endedAt === null) return undefined;
  return new Date(endedAt.getTime() + EXPORT_FILE_DAYS * 24 * 3600 * 1000);
}

/** What is enqueued. The job itself also has what it works with. */
const copyToMake = {
  name: "make_own_data_copy",
  payload: Type.Object({ organizationId: Type.Integer(), copyId: Type.Integer() }),
  attempts: DEFAULT_ATTEMPTS,
};

/** How long a copy waits while the node makes another one. */
const WAIT_MS = 15_000;
/** The nodes that make a copy, by what their jobs work with. */
const busy = new WeakSet<object>();

/**
 * A node makes one copy at a time. It has few places for jobs, and everybody may ask for a copy, which may
 * take long. So mails and reminders need not wait for several of them.
 */
export const makeOwnDataCopy = defineJob({
  ...copyToMake,
  async run(
    services: RunServices & Pick<Services, "database" | "organizations">,
    { organizationId: id, copyId },
    { signal },
  ) {
    const { database, organizations } = services;
    const organizationId = id as OrganizationId;
    if (busy.has(services)) {
      await database.transaction(async (tx) => {
        await ownCopies.noteWaiting(tx, organizationId, copyId);
        const options = { key: `${organizationId}:${copyId}`, runAt: new Date(Date.now() + WAIT_MS) };
        await enqueue(tx, copyToMake, { organizationId, copyId }, options);
      });
      return;
    }
    busy.add(services);
    try {
      await makeFile(copyKind, services, await organizations.byId(organizationId), copyId, signal);
    } finally {
      busy.delete(services);
    }
  },
});

const copyKind: FileKind<OwnCopy> = {
  store: ownCopies,
  folder: "own-data",
  failed: "a copy of somebody's own data failed",
  refusalOf(state, { userId }) {
    if (!state.get(organization).isActive) return "The organization was deactivated.";
    return mayCopy(state.get(users).find(userId)) ? undefined : "The account was deactivated.";
  },
  async announce(tx, row, step) {
    if (step !== "progress") await tell(tx, row, step);
  },
  async write(state, { userId }, path, request) {
    const user = state.get(users).find(userId);
    if (!user) throw new Error(`there is no account ${userId}`);
    await writeOwnData(state, path, { user, withReceived: false, ...request });
  },
};

/** Those who left meanwhile get no message. */
async function tell(tx: Change, { userId }: OwnCopy, step: "done" | "failed"): Promise<void> {
  if (!canBeTold(tx.state, userId)) return;
  const content =
    step === "done"
      ? `The copy of your data is ready. You can download it in [your settings](#settings/own-data) for ${EXPORT_FILE_DAYS} days.`
      : "The copy of your data could not be made. [Your settings](#settings/own-data) say why.";
  await postMessage(tx, { to: { userIds: [userId] }, content });
}

function canBeTold(state: OrganizationState, userId: OwnCopy["userId"]): boolean {
  return state.get(organization).isActive && mayCopy(state.get(users).find(userId));
}
