import type { UserId } from "../../../api/ids.ts";
import { AlertWordFinder } from "../../../markdown/alert-words.ts";
import { proseOf } from "../../../markdown/prose.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import { listAlertWords } from "./store.ts";

/** The words about which people want to be alerted, and the people who are alerted for each. */
export class AlertWords {
  readonly #ofUser = new Map<UserId, readonly string[]>();
  /** By the word in lower case. */
  readonly #hearers = new Map<string, Set<UserId>>();
  /** Finds the words of all people. */
  readonly #finder = new AlertWordFinder([]);

  get isEmpty(): boolean {
    return this.#finder.isEmpty;
  }

  of(userId: UserId): readonly string[] {
    return this.#ofUser.get(userId) ?? [];
  }

  /** The people with an alert word in the text; code in it does not count. */
  hearersOf(content: string): ReadonlySet<UserId> {
    const people = new Set<UserId>();
    // Finding the code takes a parse, so a text without any of the words returns first.
    if (this.#finder.find(content).length === 0) return people;
    for (const word of this.#finder.find(proseOf(content))) {
      for (const userId of this.#hearers.get(word) ?? []) people.add(userId);
    }
    return people;
  }

  set(userId: UserId, words: readonly string[]): void {
    for (const word of this.of(userId)) this.#remove(word.toLowerCase(), userId);
    for (const word of words) this.#add(word.toLowerCase(), userId);
    if (words.length > 0) this.#ofUser.set(userId, words);
    else this.#ofUser.delete(userId);
  }

  #add(word: string, userId: UserId): void {
    const hearers = this.#hearers.get(word);
    if (hearers) {
      hearers.add(userId);
      return;
    }
    this.#hearers.set(word, new Set([userId]));
    this.#finder.add(word);
  }

  #remove(word: string, userId: UserId): void {
    const hearers = this.#hearers.get(word);
    hearers?.delete(userId);
    if (hearers?.size !== 0) return;
    this.#hearers.delete(word);
    this.#finder.remove(word);
  }
}

/** State patch: all words of one person. */
export interface AlertWordsPatch {
  userId: UserId;
  words: readonly string[];
}

export const alertWords: Projection<AlertWords, AlertWordsPatch> = {
  name: "alert_words",
  async load(tx, organizationId) {
    const words = new Map<UserId, string[]>();
    for (const { userId, word } of await listAlertWords(tx, organizationId)) {
      pushTo(words, userId, word);
    }
    const value = new AlertWords();
    for (const [userId, own] of words) value.set(userId, own);
    return value;
  },
  apply(value, patch) {
    value.set(patch.userId, patch.words);
  },
};
