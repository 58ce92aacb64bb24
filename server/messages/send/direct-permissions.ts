import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { canDo } from "../../groups/group-setting.ts";
import { type User, users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";

const { directMessagePermission, directMessageInitiator } = organizationPermissions;

/**
 * Throws unless the viewer may write to these people, who include the viewer. At least one of them must be in
 * the group that direct messages are allowed for. The viewer can always write to themselves and
 * to bots.
 */
export function checkDirectPermission({ state, user }: Viewer, userIds: readonly UserId[]): void {
  const people = userIds.map((id) => state.get(users).byId.get(id) as User);
  if (isAmongBots(user, people)) return;
  if (!people.some((person) => canDo(state, directMessagePermission, person))) {
    throw new ApiError(errors.directMessagesNotAllowed);
  }
}

/** Whether the viewer may also start the conversation. */
export function canStartConversation({ state, user }: Viewer, userIds: readonly UserId[]): boolean {
  if (canDo(state, directMessageInitiator, user)) return true;
  return isAmongBots(
    user,
    userIds.map((id) => state.get(users).byId.get(id) as User),
  );
}

function isAmongBots(user: User, people: readonly User[]): boolean {
  return people.every((person) => person.id === user.id || person.botType !== null);
}
