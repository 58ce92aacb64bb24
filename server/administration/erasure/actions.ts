import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { announceInvitations } from "../../accounts/invitations/announce.ts";
import { forgetAskedMails } from "../../accounts/mailed-codes/asked-mails.ts";
import { secondSteps } from "../../accounts/second-steps/second-steps.ts";
import { alertWords } from "../../attention/alert-words/alert-words.ts";
import { mutedUsers } from "../../attention/muted-users/muted-users.ts";
import { mutedChannels } from "../../channels/subscriptions/muted-channels.ts";
import { discardPicture } from "../../content/avatars/pictures.ts";
import { accessPersonToErase, eraseAccount } from "../../people/deactivate/erase.ts";
import type { User } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { clearProfileData } from "../../profiles/profile-fields/change-values.ts";
import { clearStatus } from "../../profiles/user-status/actions.ts";
import { erasureToFinish, type FormerSelf } from "./finish.ts";
import {
  deleteImportSource,
  deleteInvitationsAndCodes,
  deleteRowsOf,
  deleteSignInAttempts,
  insertErasure,
  isErasureOpen,
  listFormerAddressesOf,
  listMutedBy,
} from "./store.ts";
import { deletionsOf } from "./tables.ts";

/** More than a person has in any of the tables that are cleared in the change itself. */
const ALL = 100_000;

export interface ErasureRequest {
  userId: number;
  keepsMessages: boolean;
  /** When the job begins. A command that does its work itself leaves time for that. */
  runAt?: Date;
}

/**
 * Erases a person: whatever lets somebody in or is in memory goes at once, in this change of state, and a job
 * does the rest (`finish.ts`). It can't be undone. An erasure that has not ended goes on as it was asked for
 * first. Throws what `accessPersonToErase` and `eraseAccount` throw, and `accountErased` after the end.
 */
export async function erasePerson(
  tx: ViewerChange,
  services: { keyring: Keyring },
  { userId, keepsMessages, runAt }: ErasureRequest,
): Promise<User> {
  const { organizationId } = tx.state;
  const target = accessPersonToErase(tx, userId);
  const { id } = target;
  if (target.isErased && !(await isErasureOpen(tx, organizationId, id)))
    throw new ApiError(errors.accountErased);
  const erased = target.isErased ? target : await beginErasure(tx, services, target, keepsMessages);
  await enqueue(
    tx,
    erasureToFinish,
    { organizationId, userId: id },
    { key: `${organizationId}:${id}`, ...(runAt && { runAt }) },
  );
  return erased;
}

async function beginErasure(
  tx: ViewerChange,
  { keyring }: { keyring: Keyring },
  target: User,
  keepsMessages: boolean,
): Promise<User> {
  const { organizationId } = tx.state;
  const { id } = target;
  const addresses = [target.email, ...(await listFormerAddressesOf(tx, organizationId, id))];
  const former: FormerSelf = { name: target.fullName, addresses };
  const erased = await eraseAccount(tx, target);
  await discardPicture(tx, "avatar", target.avatarFile);
  await clearProfileData(tx, id);
  await clearStatus(tx, id);
  await clearMemory(tx, id);
  for (const deletion of deletionsOf("now")) await deleteRowsOf(tx, deletion, organizationId, id, ALL);
  const inviterIds = await deleteInvitationsAndCodes(tx, organizationId, id, addresses);
  if (inviterIds.length > 0) announceInvitations(tx, inviterIds);
  await deleteSignInAttempts(tx, organizationId, [`user ${id}`, ...addresses.map(addressSubject)]);
  await deleteImportSource(tx, organizationId, id);
  await forgetAskedMails(tx, { keyring }, id, addresses);
  const encrypted = keyring.encrypt(JSON.stringify(former));
  await insertErasure(tx, { organizationId, userId: id, keepsMessages, encrypted });
  return erased;
}

/** What the nodes keep of the person besides the account. */
async function clearMemory(tx: ViewerChange, userId: UserId): Promise<void> {
  const { state } = tx;
  tx.appendPatch(patchOf(alertWords, { userId, words: [] }));
  for (const mutedUserId of await listMutedBy(tx, state.organizationId, userId))
    tx.appendPatch(patchOf(mutedUsers, { userId, mutedUserId, isMuted: false }));
  const muted = [...state.get(mutedChannels).of(userId)];
  tx.appendPatch(
    patchOf(
      mutedChannels,
      muted.map((channelId) => ({ userId, channelId, isMuted: false })),
    ),
  );
  if (state.get(secondSteps).has(userId))
    tx.appendPatch(patchOf(secondSteps, { userId, hasTotp: false, passkeys: 0 }));
}

/** For what attempts with an address count that no account has. */
function addressSubject(address: string): string {
  return `name ${address.normalize("NFKC").toLowerCase()}`;
}
