import { ApiError, errors } from "../../../../api/errors.ts";
import type { ChannelId, UserId } from "../../../../api/ids.ts";
import { organizationSettings } from "../../../../api/organization-settings.ts";
import { userSettings } from "../../../../api/user-settings.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { settingOf } from "../../organization/setting.ts";
import { users } from "../../users/user.ts";
import { userSettingOf } from "../../users/user-setting.ts";
import type { Viewer } from "../../users/viewer.ts";
import { accessMessage } from "../access.ts";
import { listReaders, listReceivers } from "./fetch.ts";

/** Who received a message that the viewer can read and has read it, as far as they let others know. */
export async function listReadReceipts(viewer: Viewer, tx: Queryable, messageId: number): Promise<UserId[]> {
  const { state, user } = viewer;
  if (!settingOf(state, organizationSettings.enableReadReceipts)) {
    throw new ApiError(errors.readReceiptsDisabled);
  }
  const { row } = await accessMessage({ state, user }, tx, messageId);
  const received =
    row.userIds ??
    (await listReceivers(tx, state.organizationId, row.recipientId as ChannelId, [row.id])).map(
      ({ userId }) => userId,
    );
  const told = received.filter((userId) => {
    const receiver = state.get(users).byId.get(userId);
    return (
      userId !== row.senderId &&
      receiver?.isActive === true &&
      userSettingOf(receiver, userSettings.sendReadReceipts)
    );
  });
  return listReaders(tx, state.organizationId, row, told, user.id);
}
