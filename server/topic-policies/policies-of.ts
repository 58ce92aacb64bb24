import type { ChannelId, TopicId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import type { Live } from "../events/live.ts";
import type { TopicPolicy } from "./policy.ts";
import { listPoliciesOf } from "./store.ts";

/** A topic that somebody has a policy for. */
export interface RegardedTopic {
  topicId: TopicId;
  channelId: ChannelId;
  topic: string;
  policy: TopicPolicy;
  updatedAt: Date;
}

/** A person's topics and what they want of them, also in channels that they can't see at present. */
export async function policiesOf(live: Live, tx: Queryable, userId: UserId): Promise<RegardedTopic[]> {
  return listPoliciesOf(tx, live.organizationId, userId);
}
