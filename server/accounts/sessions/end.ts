import type { UserId } from "../../../api/ids.ts";
import { users } from "../../people/user.ts";
import { viewerOf } from "../../people/viewer/change.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { endCodesOfLogin } from "../mailed-codes/codes.ts";
import { endStepsOf } from "../providers/steps.ts";
import { secondSteps } from "../second-steps/second-steps.ts";
import { sessions } from "./live-sessions.ts";
import { deletePendingSignInsOf } from "./pending-store.ts";
import { deleteSessions, deleteSessionsOf, updateSessionToken } from "./store.ts";

/** Ends sessions in a change of state. On every node their tokens stop working when it has the change. */
export async function endSessions(tx: Change, sessionIds: readonly number[]): Promise<void> {
  if (sessionIds.length === 0) return;
  await deleteSessions(tx, tx.state.organizationId, sessionIds);
  tx.appendPatch(patchOf(sessions, { ended: sessionIds, renewed: [] }));
}

/**
 * Ends all sessions of an account but the one that asks for the change, which goes on with another token.
 * Call it in a change of state after the change of the account's row: a sign-in locks that row, so it is seen
 * here, or sees the change.
 */
export async function renewSessions(tx: Change, keyring: Keyring, userId: UserId): Promise<void> {
  const { organizationId } = tx.state;
  const viewer = viewerOf(tx);
  const own = viewer?.user.id === userId && viewer.credential?.kind === "session" ? viewer : undefined;
  const kept = own?.credential?.kind === "session" ? own.credential.id : undefined;
  await endBegun(tx, keyring, userId);
  const ended = await deleteSessionsOf(tx, organizationId, userId, kept);
  const token = keyring.newToken();
  const renewed =
    kept === undefined ? undefined : await updateSessionToken(tx, organizationId, kept, keyring.hash(token));
  if (ended.length === 0 && !renewed) return;
  tx.appendPatch(patchOf(sessions, { ended, renewed: renewed ? [renewed] : [] }));
  // It is sent only if the request succeeds, and so only after the commit.
  if (renewed) own?.renewSession?.(token);
}

/**
 * Ends what was begun in the name of an account and is not done: links for another password or address,
 * sign-ins that wait for a second step, codes of the desktop app. Somebody who had a session may have begun
 * them, and would come back by them after it has ended.
 */
export async function endBegun(tx: Change, keyring: Keyring, userId: UserId): Promise<void> {
  await endCodesOfLogin(tx, userId);
  await deletePendingSignInsOf(tx, tx.state.organizationId, userId);
  await endStepsOf(tx, keyring, userId);
}

/**
 * An account loses its sessions with another role, so that a token that somebody has taken is not worth more
 * than when it was taken. With other second steps they end too: one may have begun with less, or by what was
 * stolen. A deactivated account keeps none: it comes back without any.
 */
export function endedSessions(keyring: Keyring): BeforeCommitHook {
  return {
    projections: [users.name, secondSteps.name],
    async run(tx, patches) {
      const { byId } = tx.state.get(users);
      const after = new Map(
        patchesOf(patches, users).flatMap(({ put }) => put.map((user) => [user.id, user] as const)),
      );
      for (const user of after.values()) {
        const before = byId.get(user.id);
        if (!before || user.botType !== null) continue;
        const isEnded = before.isActive && !user.isActive;
        if (isEnded || before.role !== user.role) await renewSessions(tx, keyring, user.id);
      }
      const changed = new Set(patchesOf(patches, secondSteps).map(({ userId }) => userId));
      for (const userId of changed) await renewSessions(tx, keyring, userId);
    },
  };
}
