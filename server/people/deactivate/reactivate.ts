import { ApiError, errors } from "../../../api/errors.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { accessUserToChange } from "../access/access.ts";
import { giveApiKey } from "../actions.ts";
import { announceReactivation } from "../events.ts";
import { reactivateUser } from "../store.ts";
import { type User, users } from "../user.ts";
import type { ViewerChange } from "../viewer/change.ts";

/** Throws if the viewer could not make such a bot now: bots are in a layer above. */
export type CheckBotReturns = (tx: ViewerChange, bot: User) => void;

/**
 * Reactivates a person or bot as an administrator, and announces it to everyone. Subscriptions and groups
 * were kept, and hooks announce that they count again. The account gets a new API key: the old one may be why
 * it was ended. Nothing changes for an active account. Throws `botOwnerDeactivated` for a bot whose owner
 * could not answer for it, `accountErased`, and what `checkBotReturns` throws.
 */
export async function reactivateAccount(
  tx: ViewerChange,
  keyring: Keyring,
  userId: number,
  checkBotReturns: CheckBotReturns,
): Promise<void> {
  const target = accessUserToChange(tx.viewer, { userId });
  if (target.isActive) return;
  if (target.isErased) throw new ApiError(errors.accountErased);
  if (ownerOf(tx, target)?.isActive === false) throw new ApiError(errors.botOwnerDeactivated);
  if (target.botType !== null) checkBotReturns(tx, target);
  await reactivateUser(tx, tx.state.organizationId, target.id);
  await giveApiKey(tx, keyring, target.id);
  announceReactivation(tx, target);
  await recordAudit(tx, { action: "user_reactivated", targetId: target.id });
}

function ownerOf({ state }: ViewerChange, { botOwnerId }: User): User | undefined {
  return botOwnerId === null ? undefined : state.get(users).byId.get(botOwnerId);
}
