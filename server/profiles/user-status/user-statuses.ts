import type { UserId } from "../../../api/ids.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { listUserStatuses } from "./store.ts";

/** What somebody says that they are doing. What they don't say is an empty text. */
export interface UserStatus {
  text: string;
  emojiName: string;
  emojiCode: string;
  reactionType: string;
}

export const noStatus: UserStatus = { text: "", emojiName: "", emojiCode: "", reactionType: "" };

export class UserStatuses extends Map<UserId, UserStatus> {
  /** Grows with every change, for what is derived from them. */
  version = 0;
}

/** State patch. null: the person says nothing. */
export interface UserStatusPatch {
  userId: UserId;
  status: UserStatus | null;
}

/** The people who say something. No check depends on it. */
export const userStatuses: Projection<UserStatuses, UserStatusPatch> = {
  name: "user_statuses",
  isAdvisory: true,
  async load(tx, organizationId) {
    const rows = await listUserStatuses(tx, organizationId);
    return new UserStatuses(rows.map(({ userId, ...status }) => [userId, status]));
  },
  apply(value, { userId, status }) {
    value.version++;
    if (status) value.set(userId, status);
    else value.delete(userId);
  },
};
