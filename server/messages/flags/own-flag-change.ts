/** Stars and collapsed messages as changes that share transactions. */
import { ApiError, errors } from "../../../api/errors.ts";
import type { MessageId } from "../../../api/ids.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { type GroupedChange, HeldRows } from "../../platform/log/grouped-change.ts";
import { canReadFound } from "../access.ts";
import { againstDeletion, messageRows } from "../model/lock-store.ts";
import { hasFlag, personalFlags } from "../model/message.ts";
import { announceFlag } from "../read-state/events.ts";
import { type FlagWrite, type FoundFlags, findFlags, writeFlags } from "./store.ts";

export interface OwnFlagRequest {
  viewer: Viewer;
  op: "add" | "remove";
  flag: "starred" | "collapsed";
  /** Each once. */
  messageIds: readonly number[];
}

/** The bit of a flag that people set themselves. */
export function bitOf(flag: OwnFlagRequest["flag"]): number {
  return flag === "starred" ? personalFlags.starred : personalFlags.collapsed;
}

/**
 * As `updateFlags`, for a flag that changes nothing but itself. The messages can't be deleted before the
 * commit. Otherwise clients would keep a star on a message that no later event removes. Resolves with the
 * messages that changed.
 */
export const ownFlagChange: GroupedChange<OwnFlagRequest, FoundFlags, void, FlagWrite, MessageId[]> = {
  // After reactions, whose events go to those who have flags.
  name: "user flag",
  keysOf: ({ viewer, messageIds }) => messageIds.map((id) => `flag ${id} ${viewer.user.id}`),
  check({ viewer }) {
    currentViewer(viewer);
  },
  locks: [
    { rows: messageRows, of: ({ messageIds }) => messageIds.map((id) => ({ id, mode: againstDeletion })) },
  ],
  find(organizationId, requests, waits) {
    const asked = requests.flatMap(({ viewer, messageIds }, number) =>
      messageIds.map((messageId) => ({ number, userId: viewer.user.id, messageId })),
    );
    return findFlags(organizationId, asked, waits);
  },
  share() {},
  decide({ viewer, op, flag, messageIds }, found, _, events) {
    const { state, user } = currentViewer(viewer);
    const readable = found.filter((message) => canReadFound({ state, user }, message));
    if (readable.length < messageIds.length) throw new ApiError(errors.invalidMessage);
    if (readable.some(({ areHeld }) => areHeld)) throw new HeldRows();
    const bit = bitOf(flag);
    const clears = op === "remove";
    const changed = readable.filter(({ flags }) => hasFlag(flags, bit) === clears);
    const answer = changed.map(({ id }) => id);
    if (changed.length > 0) announceFlag(events, [user.id], { op, flag, messages: answer });
    const writes = changed.map(({ id, flags }) => {
      return { userId: user.id, messageId: id, bit, clears, isLast: flags === bit };
    });
    return { writes, answer };
  },
  write: writeFlags,
};
