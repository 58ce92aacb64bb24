import type { EventDeclaration, PayloadOf } from "../../../api/event.ts";
import {
  displaySettingChanged,
  notificationSettingChanged,
  type userActivated,
  userAdded,
  type userRoleChanged,
  type userTimezoneChanged,
} from "../../../api/events/users.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { asAppended, variant } from "../../platform/queues/event-variant.ts";
import { type EventSerializer, serializerOf } from "../../platform/queues/queue-parts.ts";
import { avatarUrl } from "./present.ts";
import { users } from "./user.ts";

type UserEvent =
  | PayloadOf<typeof userAdded>
  | PayloadOf<typeof userActivated>
  | PayloadOf<typeof userRoleChanged>
  | PayloadOf<typeof userTimezoneChanged>;

/**
 * A new user's `avatar_url` depends on whether the client makes such addresses itself, so there are two
 * variants.
 */
export const userSerializer = serializerOf(
  storedEvent<UserEvent>()(userAdded),
  (state, entry, event, queue) => {
    if (event.op !== "add" || !queue.options.clientGravatar) return asAppended(entry);
    const { person } = event;
    const user = state.get(users).find(person.user_id);
    if (!user) return asAppended(entry);
    return variant(entry, 1, userAdded, () => ({ person: { ...person, avatar_url: avatarUrl(user, true) } }));
  },
);

/** COMPAT: only for clients that do not know `user_settings` events (spec E20 `user_settings_object`). */
function legacySerializer({ type }: EventDeclaration): EventSerializer {
  return {
    type,
    serialize: (_state, entry, queue) => (queue.can("user_settings_object") ? undefined : asAppended(entry)),
  };
}

export const legacySettingsSerializers: readonly EventSerializer[] = [
  legacySerializer(displaySettingChanged),
  legacySerializer(notificationSettingChanged),
];
