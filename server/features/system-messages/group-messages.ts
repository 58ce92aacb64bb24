/** What the notification bot says of groups, to those whom others put into them or take out. */
import { MAX_BULK_SUBSCRIPTION_MESSAGES } from "../../../api/limits.ts";
import type { Group } from "../groups/group.ts";
import type { GroupNotices } from "../groups/notices.ts";
import { groupLink, person } from "../messages/model/markdown-text.ts";
import { postMessages } from "../messages/send/post.ts";
import type { User } from "../users/user.ts";

export const groupNotices: GroupNotices = {
  async membersChanged(tx, { user }, group, { added, removed }) {
    const isTold = (target: User) => target.id !== user.id && target.isActive && target.botType === null;
    const posts = [
      ...added.filter(isTold).map((target) => note(target, `${person(user)} added you to`, group)),
      ...removed.filter(isTold).map((target) => note(target, `${person(user)} removed you from`, group)),
    ];
    if (posts.length <= MAX_BULK_SUBSCRIPTION_MESSAGES) await postMessages(tx, posts);
  },
};

function note(target: User, what: string, group: Group) {
  return { to: { userIds: [target.id] }, content: `${what} the group ${groupLink(group)}.` };
}
