import type { UserId } from "../../../api/ids.ts";
import type { MessageRecord } from "../../../api/messages/message.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { User } from "../user.ts";
import { unknownIdentity } from "./unknown-user.ts";
import { canAccessUserId, isLimitedGuest } from "./user-access.ts";

/**
 * The message as a reader may see it who may not know of all people: they are shown as unknown users, with
 * their ids. The sender and the recipients are a part of a message, so a reader of the message gets the
 * ids. Its text stays as it was written.
 */
export function withoutUnknownPeople<M extends MessageRecord>(
  state: OrganizationState,
  reader: User,
  message: M,
): M {
  if (!isLimitedGuest(state, reader)) return message;
  const isUnknown = (id: number) => !canAccessUserId(state, reader, id);
  const { sender_id, display_recipient } = message;
  const sender = isUnknown(sender_id) ? unknownIdentity(state, { id: sender_id as UserId }) : undefined;
  return {
    ...message,
    ...(sender && {
      sender_email: sender.email,
      sender_full_name: sender.fullName,
      avatar_url: sender.picture,
    }),
    ...(typeof display_recipient !== "string" && {
      display_recipient: display_recipient.map((person) => {
        if (!isUnknown(person.id)) return person;
        const { email, fullName } = unknownIdentity(state, { id: person.id as UserId });
        return { ...person, email, full_name: fullName };
      }),
    }),
  };
}
