import { ApiError, errors } from "../../../api/errors.ts";
import { type User, users } from "../users/user.ts";
import type { Viewer } from "../users/viewer.ts";

/** As whom the viewer may have mail posted in a channel: as themselves, as one of their bots, or as the notification bot. */
export function accessMailSender({ state, user }: Viewer, id: number): User {
  const sender = state.get(users).find(id);
  const isTheirs = sender?.id === user.id || sender?.botOwnerId === user.id || sender?.isSystem;
  if (!sender?.isActive || !isTheirs) throw new ApiError(errors.noSuchUser);
  return sender;
}
