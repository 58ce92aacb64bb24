import type { Writer } from "../../platform/log/projection.ts";
import { variant } from "../../platform/queues/dispatch.ts";
import { avatarUrl } from "./present.ts";
import { users } from "./user.ts";

/** A new user's `avatar_url` depends on whether the client makes such addresses itself; so two texts serve everybody. */
export const userWriter: Writer = {
  type: "realm_user",
  write(live, entry, queue) {
    const { payload } = entry;
    const asWritten = () => variant(entry, 0, () => payload);
    if (payload.op !== "add" || !queue.options.clientGravatar) return asWritten();
    const person = payload.person as { user_id: number };
    const user = live.get(users).find(person.user_id);
    if (!user) return asWritten();
    return variant(entry, 1, () => ({
      ...payload,
      person: { ...person, avatar_url: avatarUrl(user, true) },
    }));
  },
};

/** Only for clients that do not know `user_settings` events (spec E20 `user_settings_object`). */
function legacyWriter(type: string): Writer {
  return {
    type,
    write: (_live, entry, queue) =>
      queue.can("user_settings_object") ? undefined : variant(entry, 0, () => entry.payload),
  };
}

export const legacySettingsWriters: readonly Writer[] = [
  legacyWriter("update_display_settings"),
  legacyWriter("update_global_notifications"),
];
