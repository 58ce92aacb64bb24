import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { settingOf } from "../../organization/setting.ts";
import { canAccessUser } from "../../people/access/user-access.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { accessMessage } from "../access.ts";
import type { FetchedRow } from "../model/message.ts";
import { listReceivers } from "../query/fetch.ts";
import { findReaders } from "./ranges.ts";

/**
 * The people who received a message and have read it, except people who send no read receipts. Throws
 * READ_RECEIPTS_DISABLED if the organization has turned them off, and "Invalid message(s)" for a message
 * that the viewer can't read.
 */
export async function listReadReceipts(viewer: Viewer, tx: Queryable, messageId: number): Promise<UserId[]> {
  const { state, user } = viewer;
  if (!settingOf(state, organizationSettings.enableReadReceipts)) {
    throw new ApiError(errors.readReceiptsDisabled);
  }
  const { row } = await accessMessage({ state, user }, tx, messageId);
  const received = row.userIds ?? (await receiversKnownTo(viewer, tx, row));
  const among = received.filter((userId) => {
    const receiver = state.get(users).byId.get(userId);
    return (
      userId !== row.senderId &&
      canAccessUser(state, user, receiver) &&
      receiver?.isActive === true &&
      userSettingOf(receiver, userSettings.sendReadReceipts)
    );
  });
  return findReaders(state, tx, row, { among, askerId: user.id });
}

/**
 * The people who received a message of a channel. People who left a private channel before the viewer came
 * are known only to those who were there.
 */
async function receiversKnownTo(
  { state, user }: Viewer,
  tx: Queryable,
  { id, recipientId }: FetchedRow,
): Promise<UserId[]> {
  const channelId = recipientId as ChannelId;
  const receivers = await listReceivers(tx, state.organizationId, channelId, [id]);
  const received = receivers.map(({ userId }) => userId);
  const isPrivate = state.get(channels).byId.get(channelId)?.isPrivate;
  if (!isPrivate || received.includes(user.id)) return received;
  return received.filter((userId) => state.get(subscribers).has(channelId, userId));
}
