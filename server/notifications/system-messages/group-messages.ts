/** The notification bot's messages to people whom others add to groups or remove from them. */
import type { UserId } from "../../../api/ids.ts";
import { MAX_BULK_SUBSCRIPTION_MESSAGES } from "../../../api/limits.ts";
import { type GroupChange, groups } from "../../groups/group.ts";
import { groupLink, personKnownTo } from "../../messages/model/markdown-text.ts";
import { type Post, postMessages } from "../../messages/send/post.ts";
import { type User, users } from "../../people/user.ts";
import { viewerOf } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";

/** Posts a direct message to each person whose membership the viewer changed, unless there are too many. */
export const groupMessages: BeforeCommitHook = {
  projections: [groups.name],
  async run(tx, patches) {
    const viewer = viewerOf(tx);
    if (!viewer) return;
    const posts = patchesOf(patches, groups)
      .flatMap(({ change = [] }) => change)
      .flatMap((change) => postsAbout(tx, viewer, change));
    if (posts.length <= MAX_BULK_SUBSCRIPTION_MESSAGES) await postMessages(tx, posts);
  },
};

function postsAbout(tx: Change, { user }: Viewer, { id, added = [], removed = [] }: GroupChange): Post[] {
  const group = tx.state.get(groups).byId.get(id);
  if (!group) return [];
  return [
    ...recipients(tx, user, added).map((target) =>
      note(tx, user, target, `added you to the group ${groupLink(group)}.`),
    ),
    ...recipients(tx, user, removed).map((target) =>
      note(tx, user, target, `removed you from the group ${groupLink(group)}.`),
    ),
  ];
}

/** Bots, deactivated people and the viewer get no message. */
function recipients({ state }: Change, viewer: User, ids: readonly UserId[]): User[] {
  const { byId } = state.get(users);
  return ids
    .flatMap((id) => byId.get(id) ?? [])
    .filter((user) => user.id !== viewer.id && user.isActive && user.botType === null);
}

function note({ state }: Change, actor: User, target: User, what: string): Post {
  const content = `${personKnownTo(state, target, actor)} ${what}`;
  return { to: { userIds: [target.id] }, content, onBehalfOf: actor };
}
