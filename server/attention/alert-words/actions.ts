import { ApiError, errors } from "../../../api/errors.ts";
import { alertWordsChanged } from "../../../api/events/alert-words.ts";
import { MAX_ALERT_WORDS } from "../../../api/limits.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { alertWords } from "./alert-words.ts";
import { deleteAlertWords, insertAlertWords, listAlertWords } from "./store.ts";

/**
 * Adds alert words of the viewer. A word that exists already, in any case, stays as it is. Returns all
 * words.
 */
export async function addAlertWords(tx: ViewerChange, words: readonly string[]): Promise<readonly string[]> {
  const own = tx.state.get(alertWords).of(tx.viewer.user.id);
  const known = new Set(own.map((word) => word.toLowerCase()));
  const added: string[] = [];
  for (const word of words.map((each) => each.trim())) {
    if (word === "" || known.has(word.toLowerCase())) continue;
    known.add(word.toLowerCase());
    added.push(word);
  }
  if (own.length + added.length > MAX_ALERT_WORDS) {
    throw new ApiError(errors.tooManyAlertWords, { limit: MAX_ALERT_WORDS });
  }
  if (added.length === 0) return own;
  await insertAlertWords(tx, tx.state.organizationId, tx.viewer.user.id, added);
  return announce(tx);
}

/** Removes alert words of the viewer, in any case. Returns the words that are left. */
export async function removeAlertWords(
  tx: ViewerChange,
  words: readonly string[],
): Promise<readonly string[]> {
  const own = tx.state.get(alertWords).of(tx.viewer.user.id);
  const unwanted = new Set(words.map((word) => word.trim().toLowerCase()));
  const removed = own.filter((word) => unwanted.has(word.toLowerCase()));
  if (removed.length === 0) return own;
  await deleteAlertWords(tx, tx.state.organizationId, tx.viewer.user.id, removed);
  return announce(tx);
}

async function announce(tx: ViewerChange): Promise<readonly string[]> {
  const { user } = tx.viewer;
  const words = (await listAlertWords(tx, tx.state.organizationId, user.id)).map(({ word }) => word);
  const patch = patchOf(alertWords, { userId: user.id, words });
  tx.append(alertWordsChanged, { alert_words: words }, toUsers([user.id]), patch);
  return words;
}
