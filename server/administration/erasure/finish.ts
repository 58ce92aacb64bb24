/**
 * The job that finishes an erasure: what lies in large tables and in files. It goes in small steps, each of
 * which may be done again, and begins after a crash where it was. `parley user erase` does the same itself.
 */
import { Type } from "typebox";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { forgetRequestsBy } from "../../accounts/mailed-codes/forget-requests.ts";
import { deleteUnlinkedOf } from "../../content/uploads/erase.ts";
import { deleteSomeOf, neutralizeNext } from "../../messages/erasure/erase-messages.ts";
import { eraseNextEntries, listNamesOf } from "../../organization/audit-log/erase.ts";
import { nameOfErased } from "../../people/deactivate/erase.ts";
import { users } from "../../people/user.ts";
import { neutralizeNextReminders } from "../../personal/reminders/neutralize.ts";
import { neutralizeNextScheduled } from "../../personal/scheduled-messages/neutralize.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { DEFAULT_ATTEMPTS, defineJob } from "../../platform/jobs/job.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { forgetMailsTo } from "../../platform/mail/forget-mails.ts";
import { neutralizeNextValues } from "../../profiles/profile-fields/neutralize-values.ts";
import type { Services } from "../../services.ts";
import { eraseCopiesOf } from "../own-data/clean-up.ts";
import {
  deleteRowsOf,
  type Erasure,
  findErasure,
  updateEncrypted,
  updateErasedTo,
  updateFinished,
} from "./store.ts";
import { deletionsOf } from "./tables.ts";

/** Rows that one transaction deletes. */
const ROWS_AT_ONCE = 1000;
/** After this time, the rest is left to another run. */
const RUN_MS = 60_000;

/** What is enqueued. The job itself also has what it works with. */
export const erasureToFinish = {
  name: "finish_erasure",
  payload: Type.Object({ organizationId: Type.Integer(), userId: Type.Integer() }),
  attempts: DEFAULT_ATTEMPTS,
};

/** By which the job knows the person, until it has ended. */
export interface FormerSelf {
  name?: string;
  addresses: string[];
  /** Names and addresses of before; undefined until the job has looked for them. */
  earlier?: string[];
}

type Parts = Pick<Services, "database" | "files" | "keyring">;

export const finishErasure = defineJob({
  ...erasureToFinish,
  async run(services: Parts & Pick<Services, "organizations">, { organizationId, userId }, { signal }) {
    const state = await services.organizations.byId(organizationId as OrganizationId);
    await state.catchUp();
    const endsAt = Date.now() + RUN_MS;
    const goesOn = () => {
      signal.throwIfAborted();
      return Date.now() < endsAt;
    };
    if (await finish(services, state, userId as UserId, goesOn)) return;
    const key = `${organizationId}:${userId}`;
    await enqueue(services.database, erasureToFinish, { organizationId, userId }, { key });
  },
});

/**
 * Does what is left of an erasure. `goesOn` is asked between the steps: when it says no, the rest is left,
 * and this returns false.
 */
export async function finish(
  services: Parts,
  state: OrganizationState,
  userId: UserId,
  goesOn: () => boolean = () => true,
): Promise<boolean> {
  const { database, keyring } = services;
  const { organizationId } = state;
  const erasure = await findErasure(database, organizationId, userId);
  if (!erasure?.encrypted) return true;
  const former = readFormerSelf(keyring, erasure.encrypted);
  await forgetRequestsBy(database, organizationId, former.addresses);
  await eraseCopiesOf(services, state, userId);
  await forgetMailsTo({ database, keyring }, organizationId, former.addresses);
  for (const deletion of deletionsOf("later")) {
    for (let count = ROWS_AT_ONCE; count === ROWS_AT_ONCE; ) {
      if (!goesOn()) return false;
      count = await deleteRowsOf(database, deletion, organizationId, userId, ROWS_AT_ONCE);
    }
  }
  if (!erasure.keepsMessages) {
    do if (!goesOn()) return false;
    while (await deleteSomeOf(state, userId));
  }
  if (!(await goThroughTexts(state, erasure, goesOn))) return false;
  await deleteUnlinkedOf(services, state, userId);
  const texts = await listTexts(services, state, erasure, former);
  const person = { id: userId, neutralName: nameOfErased(userId), texts };
  for (let last: number | undefined = 0; last !== undefined; ) {
    if (!goesOn()) return false;
    last = await eraseNextEntries(state, person, last);
  }
  await updateFinished(database, erasure);
  return true;
}

/** Without a name and addresses after a reset of the secret, when nobody can read these. */
function readFormerSelf(keyring: Keyring, encrypted: Buffer): FormerSelf {
  if (!keyring.canDecrypt(encrypted)) return { addresses: [] };
  return JSON.parse(keyring.decrypt(encrypted)) as FormerSelf;
}

/**
 * The names and addresses that others' entries of the audit log may have. Those of long ago are in entries
 * about the account. They are kept before these entries lose them, as another run may need them. One that
 * somebody else has by now is left out.
 */
async function listTexts(
  { database, keyring }: Parts,
  state: OrganizationState,
  erasure: Erasure,
  former: FormerSelf,
): Promise<string[]> {
  const everybody = state.get(users);
  const isFree = (text: string) =>
    everybody.findByEmail(text) === undefined && everybody.findByName(text).length === 0;
  const earlier = former.earlier ?? (await listNamesOf(state, erasure.userId)).filter(isFree);
  if (!former.earlier)
    await updateEncrypted(database, erasure, keyring.encrypt(JSON.stringify({ ...former, earlier })));
  return [...(former.name === undefined ? [] : [former.name]), ...former.addresses, ...earlier];
}

/** Messages, and what else others wrote that mentions the person. */
async function goThroughTexts(
  state: OrganizationState,
  erasure: Erasure,
  goesOn: () => boolean,
): Promise<boolean> {
  const { userId, keepsMessages } = erasure;
  const person = { id: userId, name: nameOfErased(userId), keepsAdditions: keepsMessages };
  for (let last: number | undefined = erasure.messageId; last !== undefined; ) {
    if (!goesOn()) return false;
    last = await neutralizeNext(state, person, last);
    if (last !== undefined) await updateErasedTo(state.database, erasure, last);
  }
  for (const neutralizeNextOf of [neutralizeNextValues, neutralizeNextReminders, neutralizeNextScheduled]) {
    for (let last: number | undefined = 0; last !== undefined; ) {
      if (!goesOn()) return false;
      last = await neutralizeNextOf(state, person, last);
    }
  }
  return true;
}
