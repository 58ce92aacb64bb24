import { ApiError, errors } from "../../../api/errors.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import { accessChannel } from "../access.ts";
import { changeChannel } from "../update/update.ts";

/**
 * Sets whether new people are subscribed to a channel. Only administrators may; everyone but guests gets
 * an event. Throws for a private or archived channel.
 */
export async function setDefaultChannel(tx: ViewerChange, id: number, isDefault: boolean): Promise<void> {
  checkAdministrator(tx.viewer);
  const channel = accessChannel(tx.viewer, id);
  if (isDefault && channel.isPrivate) throw new ApiError(errors.privateDefaultChannel);
  if (isDefault && channel.isArchived) throw new ApiError(errors.archivedDefaultChannel);
  await changeChannel(tx, channel, { ...channel, isDefault });
}
