import { ApiError, errors } from "../../../../api/errors.ts";
import { groupPermissions } from "../../../../api/group-permissions.ts";
import { groups } from "../../groups/group.ts";
import { canDoInGroup } from "../../groups/permissions.ts";
import type { Viewer } from "../../users/viewer.ts";

/**
 * Refuses a text that mentions a group which the viewer may not mention. System groups can only be mentioned
 * silently. Anyone may mention any group silently.
 */
export function checkGroupMentions({ state, user }: Viewer, mentionedGroupIds: readonly number[]): void {
  for (const id of mentionedGroupIds) {
    const group = state.get(groups).find(id);
    if (group && !canDoInGroup(state, user, group, groupPermissions.canMention)) {
      throw new ApiError(errors.groupMentionNotAllowed, { name: group.name });
    }
  }
}
