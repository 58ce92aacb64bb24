import type { EventDeclaration, PayloadOf } from "../../api/event.ts";
import {
  type botOwnerChanged,
  displaySettingChanged,
  notificationSettingChanged,
  type userActivated,
  userAdded,
  userAvatarChanged,
  userDeliveryEmailChanged,
  userEmailChanged,
  type userProfileFieldChanged,
  type userRenamed,
  type userRoleChanged,
  userTimezoneChanged,
} from "../../api/events/users.ts";
import type { Delivery, LogEntry } from "../platform/log/log-entry.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { storedEvent } from "../platform/log/stored-event.ts";
import { asAppended, variant } from "../platform/queues/event-variant.ts";
import type { Queue } from "../platform/queues/queue.ts";
import { type EventSerializer, serializerOf } from "../platform/queues/queue-parts.ts";
import type { DeliveryEmailChange } from "./email/email-changes.ts";
import { canSeeEmail, hasPublicEmail, shownEmail } from "./email/email-visibility.ts";
import { avatarSource, avatarUrl, defaultSourceOf } from "./pictures/picture.ts";
import { presentAddresses } from "./present.ts";
import { type User, users } from "./user.ts";
import { formNumber } from "./user-lists.ts";

type UserEvent =
  | PayloadOf<typeof userAdded>
  | PayloadOf<typeof userActivated>
  | PayloadOf<typeof userRoleChanged>
  | PayloadOf<typeof botOwnerChanged>
  | PayloadOf<typeof userRenamed>
  | PayloadOf<typeof userEmailChanged>
  | PayloadOf<typeof userAvatarChanged>
  | PayloadOf<typeof userTimezoneChanged>
  | PayloadOf<typeof userProfileFieldChanged>
  | DeliveryEmailChange;

/** Email addresses, and pictures made from them, go out as the reader may see them when the event is sent. */
export const userSerializer = serializerOf(
  storedEvent<UserEvent>()(userAdded),
  (state, entry, event, queue) => {
    const all = state.get(users);
    const reader = all.byId.get(queue.userId);
    const user = all.find(event.person.user_id);
    if (!reader || !user) return undefined;
    if ("concerns" in event) return serializeDeliveryEmail(entry, event, reader, user);
    if ("delivery_email" in event.person)
      return serializeAdded(state, entry, event.person, user, queue, reader);
    return serializeUpdated(state, entry, event.person, user, queue);
  },
);

function serializeAdded(
  state: OrganizationState,
  entry: LogEntry,
  person: PayloadOf<typeof userAdded>["person"],
  user: User,
  queue: Queue,
  reader: User,
): Delivery {
  const form = { clientGravatar: queue.options.clientGravatar, profileData: true, reader };
  const visibility = (hasPublicEmail(user) ? 0 : 1) + (canSeeEmail(reader, user) ? 0 : 2);
  return variant(entry, 1 + 4 * formNumber(state, form) + visibility, userAdded, () => ({
    person: { ...person, ...presentAddresses(state, user, form) },
  }));
}

function serializeDeliveryEmail(
  entry: LogEntry,
  { concerns, levelBefore, levelAfter }: DeliveryEmailChange,
  reader: User,
  user: User,
): Delivery | undefined {
  const sees = canSeeEmail(reader, user);
  const isChanged = canSeeEmail(reader, user, levelAfter) !== canSeeEmail(reader, user, levelBefore);
  if (!isChanged && concerns !== "audience" && !(concerns === "address" && sees)) return undefined;
  return variant(entry, sees ? 2 : 1, userDeliveryEmailChanged, () => ({
    person: { user_id: user.id, delivery_email: sees ? user.email : null },
  }));
}

function serializeUpdated(
  state: OrganizationState,
  entry: LogEntry,
  person: Exclude<UserEvent, DeliveryEmailChange | PayloadOf<typeof userAdded>>["person"],
  user: User,
  { options: { clientGravatar } }: Queue,
): Delivery {
  // An entry may be sent again after the address was hidden.
  const number = hasPublicEmail(user) ? 1 : 2;
  if ("new_email" in person) {
    return variant(entry, number, userEmailChanged, () => ({
      person: { user_id: user.id, new_email: shownEmail(state, user) },
    }));
  }
  if ("avatar_source" in person) {
    // The organization may have chosen another default since.
    const form = (clientGravatar ? 2 : 0) + (defaultSourceOf(state) === "G" ? 4 : 0);
    return variant(entry, number + form, userAvatarChanged, () => ({
      person: {
        ...person,
        avatar_source: avatarSource(state, user),
        avatar_url: avatarUrl(state, user, clientGravatar),
        avatar_url_medium: avatarUrl(state, user, false, "medium"),
      },
    }));
  }
  if ("timezone" in person) {
    return variant(entry, number, userTimezoneChanged, () => ({
      person: { ...person, email: shownEmail(state, user) },
    }));
  }
  return asAppended(entry);
}

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
