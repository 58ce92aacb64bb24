import { rawVariant } from "../../platform/queues/event-variant.ts";
import type { EventSerializer } from "../../platform/queues/queue-parts.ts";
import { avatarUrl } from "./present.ts";
import { users } from "./user.ts";

/** A new user's `avatar_url` depends on whether the client makes such addresses itself; so two texts serve everybody. */
export const userSerializer: EventSerializer = {
  type: "realm_user",
  serialize(state, entry, queue) {
    const { payload } = entry;
    const asWritten = () => rawVariant(entry, 0, () => payload);
    if (payload.op !== "add" || !queue.options.clientGravatar) return asWritten();
    const person = payload.person as { user_id: number };
    const user = state.get(users).find(person.user_id);
    if (!user) return asWritten();
    return rawVariant(entry, 1, () => ({
      ...payload,
      person: { ...person, avatar_url: avatarUrl(user, true) },
    }));
  },
};

/** Only for clients that do not know `user_settings` events (spec E20 `user_settings_object`). */
function legacyWriter(type: string): EventSerializer {
  return {
    type,
    serialize: (_state, entry, queue) =>
      queue.can("user_settings_object") ? undefined : rawVariant(entry, 0, () => entry.payload),
  };
}

export const legacySettingsSerializers: readonly EventSerializer[] = [
  legacyWriter("update_display_settings"),
  legacyWriter("update_global_notifications"),
];
