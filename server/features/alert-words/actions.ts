import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_ALERT_WORDS } from "../../../api/limits.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import type { Viewer } from "../users/viewer.ts";
import { type AlertWordsPatch, alertWords } from "./alert-words.ts";
import { deleteAlertWords, insertAlertWords, listAlertWords } from "./store.ts";

/** Adds words to the viewer's; one that they have already, in whatever letters, stays as it is. Returns all of them. */
export async function addAlertWords(
  tx: Change,
  viewer: Viewer,
  words: readonly string[],
): Promise<readonly string[]> {
  const own = tx.state.get(alertWords).of(viewer.user.id);
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
  await insertAlertWords(tx, tx.state.organizationId, viewer.user.id, added);
  return announce(tx, viewer);
}

/** Takes words from the viewer's, whatever letters they are written in. Returns those that are left. */
export async function removeAlertWords(
  tx: Change,
  viewer: Viewer,
  words: readonly string[],
): Promise<readonly string[]> {
  const own = tx.state.get(alertWords).of(viewer.user.id);
  const unwanted = new Set(words.map((word) => word.trim().toLowerCase()));
  const removed = own.filter((word) => unwanted.has(word.toLowerCase()));
  if (removed.length === 0) return own;
  await deleteAlertWords(tx, tx.state.organizationId, viewer.user.id, removed);
  return announce(tx, viewer);
}

async function announce(tx: Change, { user }: Viewer): Promise<readonly string[]> {
  const words = (await listAlertWords(tx, tx.state.organizationId, user.id)).map(({ word }) => word);
  const patch: AlertWordsPatch = { userId: user.id, words };
  tx.appendRaw({ type: "alert_words", alert_words: words }, toUsers([user.id]), { [alertWords.name]: patch });
  return words;
}
