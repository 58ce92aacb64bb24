import { ApiError, errors } from "../../../api/errors.ts";
import type { User } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { accessChannelsByName, canRemoveSubscriber } from "../access.ts";
import { recordOthers } from "./record-others.ts";
import { type Outcome, unsubscribe } from "./subscribe.ts";

/**
 * Unsubscribes the targets from channels by name. Throws, and changes nothing, if the viewer may not do
 * so in one of them.
 */
export async function unsubscribeByName(
  tx: ViewerChange,
  request: { names: readonly string[]; targets: readonly User[] },
): Promise<Outcome[]> {
  const { state, user } = tx.viewer;
  const named = accessChannelsByName(tx.viewer, request.names);
  const others = request.targets.filter((target) => target.id !== user.id);
  for (const channel of named) {
    if (!others.every((target) => canRemoveSubscriber(state, user, channel, target))) {
      throw new ApiError(errors.insufficientPermission);
    }
  }
  const outcomes = await unsubscribe(tx, named, request.targets);
  await recordOthers(tx, "subscribers_removed", outcomes);
  return outcomes;
}
