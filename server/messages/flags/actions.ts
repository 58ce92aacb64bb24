import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId, MessageId } from "../../../api/ids.ts";
import { changeContent, changeInGroup, type ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { NotForGroup } from "../../platform/log/grouped-change.ts";
import { listReadable } from "../access.ts";
import { clearPersonalFlag, lockMessagesAgainstChange, setPersonalFlag } from "../model/flags.ts";
import { hasFlag } from "../model/message.ts";
import { announceFlag } from "../read-state/events.ts";
import { markAsRead, markAsUnread } from "../read-state/mark.ts";
import { markChange } from "../read-state/mark-change.ts";
import type { FlagChange } from "./flag.ts";
import { bitOf, type OwnFlagRequest, ownFlagChange } from "./own-flag-change.ts";

/** A group of changes is for small ones. */
const MAX_MESSAGES_IN_GROUP = 64;

export interface ChangedFlags {
  messageIds: MessageId[];
  /** Channels whose messages stay read because the viewer is not subscribed to them. */
  skippedChannelIds: ChannelId[];
}

/**
 * Sets or clears a flag of the viewer's on messages (spec E6). The viewer's clients get an event with the
 * changed messages. Throws "Invalid message(s)" for a message that the viewer can't read; marking as read
 * ignores it instead.
 */
export function updateFlags(tx: ViewerChange, change: FlagChange): Promise<ChangedFlags> {
  return setFlag(tx, change, { unreadable: "refused" });
}

/** Does the same for messages that a narrow found. A message deleted meanwhile is ignored. */
export function updateFoundFlags(tx: ViewerChange, change: FlagChange): Promise<ChangedFlags> {
  return setFlag(tx, change, { unreadable: "ignored" });
}

/** Does what `updateFlags` does, together with other small changes where it is one. */
export async function changeFlags(viewer: Viewer, change: FlagChange): Promise<ChangedFlags> {
  try {
    const changed = await changeFlagsInGroup(viewer, change);
    return { messageIds: changed, skippedChannelIds: [] };
  } catch (error) {
    if (!(error instanceof NotForGroup)) throw error;
    return changeContent(viewer, (tx) => updateFlags(tx, change));
  }
}

/** Throws NotForGroup for a change that is not a small one. */
async function changeFlagsInGroup(viewer: Viewer, change: FlagChange): Promise<MessageId[]> {
  const { op, flag } = change;
  const messageIds = [...new Set(change.messageIds)];
  if (messageIds.length > MAX_MESSAGES_IN_GROUP) throw new NotForGroup();
  if (flag !== "read") return changeInGroup(ownFlagChange, { viewer, op, flag, messageIds });
  if (op === "remove") throw new NotForGroup();
  return changeInGroup(markChange, { viewer, messageIds });
}

async function setFlag(
  tx: ViewerChange,
  change: FlagChange,
  options: { unreadable: "ignored" | "refused" },
): Promise<ChangedFlags> {
  const { op, flag, messageIds } = change;
  if (flag !== "read") {
    return { messageIds: await setOwnFlag(tx, change, flag, options), skippedChannelIds: [] };
  }
  if (op === "remove") return markAsUnread(tx, messageIds, options);
  return { messageIds: await markAsRead(tx, messageIds), skippedChannelIds: [] };
}

/**
 * The messages can't be deleted before the commit. Otherwise clients would keep a star on a message that
 * no later event removes.
 */
async function setOwnFlag(
  tx: ViewerChange,
  { op, messageIds }: FlagChange,
  flag: OwnFlagRequest["flag"],
  { unreadable }: { unreadable: "ignored" | "refused" },
): Promise<MessageId[]> {
  const { user } = tx.viewer;
  const ids = [...new Set(messageIds)];
  await lockMessagesAgainstChange(tx, ids);
  const targets = await listReadable({ state: tx.state, user }, tx, ids);
  if (unreadable === "refused" && targets.length < ids.length) throw new ApiError(errors.invalidMessage);
  const bit = bitOf(flag);
  const changed = targets
    .filter(({ row }) => hasFlag(row.personal, bit) === (op === "remove"))
    .map(({ row }) => row.id);
  if (changed.length === 0) return changed;
  const update = op === "add" ? setPersonalFlag : clearPersonalFlag;
  await update(tx, user.id, changed, bit);
  announceFlag(tx, [user.id], { op, flag, messages: changed });
  return changed;
}
