import { ApiError, errors } from "../../../api/errors.ts";
import { groupPermissions } from "../../../api/groups/group-permissions.ts";
import type { GroupId, MessageId } from "../../../api/ids.ts";
import { groups } from "../../groups/group.ts";
import { wasMember } from "../../groups/group-history.ts";
import { canDoInGroup } from "../../groups/permissions.ts";
import type { User } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Change } from "../../platform/log/change.ts";
import { findNextPosition } from "../../platform/log/next-position.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/** The groups that a message mentions. */
export interface GroupMentions {
  id: MessageId;
  mentionedGroupIds: GroupId[] | null;
  /** By the index of the group. null: the message mentioned them all when it was sent. */
  mentionedGroupPositions: number[] | null;
}

/** What decides whether a message mentions somebody with others. */
export interface Mentioning extends GroupMentions {
  facts: number;
  /** In UNIX seconds, or as a date. */
  sentAt: number | Date;
}

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

/** Whether somebody was in a group when the message mentioned it. */
export function isMentionedIn(
  state: OrganizationState,
  { id, mentionedGroupIds, mentionedGroupPositions, sentAt }: Omit<Mentioning, "facts">,
  groupId: GroupId,
  user: User,
): boolean {
  const position = mentionedGroupPositions?.[mentionedGroupIds?.indexOf(groupId) ?? -1] ?? id;
  const time = Math.floor(typeof sentAt === "number" ? sentAt : sentAt.getTime() / 1000);
  return wasMember(state, groupId, user, { position, time });
}

/**
 * Where an edited text mentions its groups in the log. A group that was mentioned before stays where it
 * was. Others are mentioned by the edit: the position is the next one that the log will give. Nobody can
 * join or leave a group between the edit's checks and its commit, so the members at that position are those
 * of the checks.
 */
export async function findMentionPositions(
  tx: Change,
  before: GroupMentions,
  groupIds: readonly GroupId[],
): Promise<number[] | null> {
  const earlier = before.mentionedGroupIds ?? [];
  const isNew = groupIds.some((id) => !earlier.includes(id));
  const next = isNew ? await findNextPosition(tx, tx.state.organizationId) : 0;
  const positions = groupIds.map((id) => {
    const index = earlier.indexOf(id);
    return index < 0 ? next : (before.mentionedGroupPositions?.[index] ?? before.id);
  });
  return positions.every((position) => position === before.id) ? null : positions;
}
