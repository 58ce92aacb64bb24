import { registerMessages } from "../../api/register/messages.ts";
import { type Snapshot, sectionOf } from "../people/viewer/register-section.ts";
import { ownConversations, ownIntervals, recentConversations } from "./query/fetch.ts";
import { findNewestMatch } from "./query/newest-match.ts";
import { readableRangesOf } from "./query/readable/readable-ranges.ts";
import { readableScopeOf } from "./query/readable/snapshot-ranges.ts";
import { cameUnread } from "./query/scan.ts";

/** The sections on messages themselves (spec E20). What people keep of them is in `flags/`. */
export const messageSection = sectionOf(
  registerMessages,
  async (snapshot) => {
    const { wants } = snapshot;
    const [newest, recent] = await Promise.all([
      wants("message") ? findNewest(snapshot) : undefined,
      wants("recent_private_conversations") ? presentRecent(snapshot) : undefined,
    ]);
    return {
      ...(wants("message") && { max_message_id: newest ?? -1 }),
      ...(recent && { recent_private_conversations: recent }),
    };
  },
  recentConversations,
  ownIntervals,
  ownConversations,
);

/** The newest message that the viewer received. */
async function findNewest(snapshot: Snapshot): Promise<number | undefined> {
  const { state, viewer, tx } = snapshot;
  const ranges = readableRangesOf(await readableScopeOf(snapshot), { withHistory: false });
  if (ranges.length === 0) return undefined;
  const search = {
    organizationId: state.organizationId,
    userId: viewer?.user.id,
    cameUnread: cameUnread({ state, user: viewer?.user }),
    ranges,
    topicId: undefined,
    conditions: [],
    path: { by: "ranges" },
  } as const;
  return findNewestMatch(tx, search);
}

async function presentRecent({ viewer, own }: Snapshot) {
  if (!viewer) return [];
  const me = viewer.user.id;
  const rows = await own(recentConversations);
  return rows.map(({ newestId, userIds }) => ({
    max_message_id: newestId,
    user_ids: userIds.filter((id) => id !== me),
  }));
}
