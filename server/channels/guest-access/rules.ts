import { limitsGuests } from "../../groups/guest-limit.ts";
import { accessRules } from "../../people/access/user-access.ts";
import { subscribers } from "../subscriptions/subscribers.ts";

/** What decides whom guests may know of, besides direct messages. */
export const guestAccessRules = accessRules({
  isLimited: (state) => limitsGuests(state),
  shareChannel(state, one, other) {
    const all = state.get(subscribers);
    for (const channelId of all.channelsOf(one.id)) if (all.has(channelId, other.id)) return true;
    return false;
  },
});
