/**
 * What clients learn of email addresses follows from a person's address and setting, and from the reader's
 * role. This hook announces what changes with any of them, whichever action made the change. It does so for
 * pictures too, since some are made from the address.
 */
import { userDeliveryEmailChanged, userEmailChanged } from "../../../api/events/users.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import { type Audience, everyone, toUsers } from "../../platform/log/log-entry.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { announcePicture, isSamePicture } from "../pictures/picture-changes.ts";
import { type User, users } from "../user.ts";
import { canSeeEmail, emailLevelOf, shownEmail } from "./email-visibility.ts";

/** The entry of the log. The serializer adds the address, for a reader who may see it then. */
export interface DeliveryEmailChange {
  person: { user_id: number };
  /**
   * Who gets it: readers who gained or lost access, also those who have it to a new address, or the audience.
   */
  concerns: "access" | "address" | "audience";
  /** The setting before and after the change. */
  levelBefore: number;
  levelAfter: number;
}

const storedDeliveryEmail = storedEvent<DeliveryEmailChange>()(userDeliveryEmailChanged);

export const emailChanges: BeforeCommitHook = {
  projections: [users.name],
  run(tx, patches) {
    const { byId } = tx.state.get(users);
    const changed = new Map(
      patchesOf(patches, users).flatMap(({ put }) => put.map((user) => [user.id, user] as const)),
    );
    for (const after of changed.values()) {
      const before = byId.get(after.id);
      if (!before) continue;
      announceAddress(tx, before, after);
      if (before.role !== after.role && after.isActive) announceOthers(tx, before, after);
    }
  },
};

function announceAddress(tx: Change, before: User, after: User): void {
  const { state } = tx;
  const email = shownEmail(state, after);
  if (email !== shownEmail(state, before)) {
    tx.append(userEmailChanged, { person: { user_id: after.id, new_email: email } }, everyone);
  }
  if (!isSamePicture(state, before, after)) announcePicture(tx, after);
  const [levelBefore, levelAfter] = [emailLevelOf(before), emailLevelOf(after)];
  if (before.email !== after.email) {
    appendDeliveryEmail(tx, after, { concerns: "address", levelBefore, levelAfter }, everyone);
  } else if (levelBefore !== levelAfter) {
    appendDeliveryEmail(tx, after, { concerns: "access", levelBefore, levelAfter }, everyone);
  }
}

/** The addresses that a user gains or loses with another role. */
function announceOthers(tx: Change, before: User, after: User): void {
  for (const other of tx.state.get(users).all()) {
    if (canSeeEmail(before, other) === canSeeEmail(after, other)) continue;
    const level = emailLevelOf(other);
    const change = { concerns: "audience", levelBefore: level, levelAfter: level } as const;
    appendDeliveryEmail(tx, other, change, toUsers([after.id]));
  }
}

function appendDeliveryEmail(
  tx: Change,
  { id }: User,
  change: Omit<DeliveryEmailChange, "person">,
  audience: Audience,
): void {
  tx.append(storedDeliveryEmail, { person: { user_id: id }, ...change }, audience);
}
