/**
 * Read states are stored by topic and conversation, so a message that moves takes its read states along. A
 * change of read states and a move of the same topic wait for each other. Otherwise a read state would stay
 * where the message was. An event about other people's read states waits too. Otherwise it would be out of
 * date when clients get it.
 *
 * LOCK: advisory locks, to the end of the transaction, in this order:
 * 1. `readState`, one for each organization. What ends the reading of a channel takes it alone, as when
 *    people leave. A move shares it before any row, and so does a change of read states.
 * 2. `readPlaces`, for each topic or conversation. Different ones may share a lock, so that marks in
 *    thousands of topics need few. A move or an announcement takes those of its topics alone, after all rows
 *    of messages. A change of read states shares those of its messages, and afterwards locks no further
 *    message row.
 * 3. `readMarks`, for each person, taken alone by a change of their read states. Without it two marks of one
 *    person, on two devices, could each wait for a row that the other has written.
 *
 * A change of read states does not wait for any, except in `changeState`, and marks that share a transaction
 * and were blocked a few times. These hold nothing else. So no holder of one of the locks waits for a
 * transaction that waits for that lock.
 */
import type { OrganizationId, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { lockClasses, lockToCommit, shareToCommit } from "../../platform/db/locks.ts";
import { TryLater } from "../../platform/log/change.ts";
import { lockPlacesAlone, PLACES, shareAllPlacesOnce, tryShareAll, tryShareOf } from "./lock-store.ts";

const { readState, readMarks } = lockClasses;

/** A topic, or a direct-message conversation. */
type Place = TopicId | RecipientId;

/** The places whose read states stay as they are to the commit. */
export class SharedPlaces {
  readonly #locks: ReadonlySet<number>;

  constructor(locks: readonly number[]) {
    this.#locks = new Set(locks);
  }

  has(place: Place): boolean {
    return this.#locks.has(place % PLACES);
  }
}

/**
 * Keeps messages in their topics, for work of `changeContent` that changes a person's read states. Many may
 * hold it at once, for different people. Returns the places where the messages were before the locks were
 * held: a message may have moved meanwhile. Throws `TryLater` during a move or another mark of the person, so
 * that work waiting for a long move holds no connection.
 */
export async function trySharePlacesOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly number[],
): Promise<SharedPlaces> {
  const { isHeld, locks } = await tryShareOf(tx, organizationId, userId, ids);
  if (!isHeld) throw new TryLater();
  return new SharedPlaces(locks);
}

/** The same for all messages of the organization. */
export async function tryShareAllPlaces(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  if (!(await tryShareAll(tx, organizationId, userId))) throw new TryLater();
}

/**
 * Keeps all messages in their topics, for work of `changeState` that changes a person's read states. It
 * waits, since such work runs one at a time.
 */
export async function shareAllPlaces(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  await shareToCommit(tx, [readState], organizationId);
  await shareAllPlacesOnce(tx, organizationId);
  await lockToCommit(tx, readMarks, userId);
}

/** Keeps the reading of channels from ending, for a move. Before any row. */
export async function shareReadStateLock(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await shareToCommit(tx, [readState], organizationId);
}

/**
 * Keeps everybody from marking anything as read or unread, and from moving messages. For ends of
 * subscriptions.
 */
export async function lockReadState(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await lockToCommit(tx, readState, organizationId);
}

/**
 * Keeps read states of these topics or conversations as they are until the commit, for a move, or an event
 * about other people's read states. Call it after all rows of messages are locked.
 */
export async function lockPlaces(
  tx: Queryable,
  organizationId: OrganizationId,
  places: readonly Place[],
): Promise<void> {
  await lockPlacesAlone(tx, organizationId, places);
}
