import type { WidgetAction } from "../../api/messages/widgets.ts";

export interface PollOption {
  /** The person who added it, and its number among theirs. */
  readonly key: string;
  readonly text: string;
  readonly voterIds: Set<number>;
}

/** A question with answers, for which people vote. Each person may vote for several. */
export class Poll {
  readonly kind = "poll";
  question: string;
  readonly options: PollOption[] = [];
  /** The largest number that each person has given an answer. */
  readonly #added = new Map<number, number>();

  constructor(question = "", options: readonly string[] = []) {
    this.question = question;
    for (const [at, text] of options.entries()) this.#add(`canned,${at}`, text);
  }

  apply(senderId: number, action: WidgetAction): void {
    if (action.type === "question") this.question = action.question;
    else if (action.type === "new_option") {
      this.#added.set(senderId, Math.max(action.idx, this.#added.get(senderId) ?? 0));
      this.#add(`${senderId},${action.idx}`, action.option);
    } else if (action.type === "vote") {
      const voterIds = this.options.find(({ key }) => key === action.key)?.voterIds;
      if (action.vote === 1) voterIds?.add(senderId);
      else voterIds?.delete(senderId);
    }
  }

  has(text: string): boolean {
    return this.options.some((option) => option.text === text);
  }

  /** The key of an answer that this person adds. */
  nextIndex(senderId: number): number {
    return (this.#added.get(senderId) ?? 0) + 1;
  }

  /** Two people may add the same answer at the same moment; the first one stands. */
  #add(key: string, text: string): void {
    const isKnown = this.has(text) || this.options.some((option) => option.key === key);
    if (!isKnown) this.options.push({ key, text, voterIds: new Set() });
  }
}
