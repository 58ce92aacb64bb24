/**
 * What has happened, for people who read of a failure: the steps, and what became of each text. A text is
 * found again by the words in it, which nothing else has.
 */
import type { Page } from "playwright-core";

const LAST_STEPS = 60;
/** Before and after what happened to a text. */
const STEPS_AROUND = 8;
const SHOWN_EVENTS = 40;
const WORDS = /zq[0-9a-z]+w/g;

export const wordsIn = (text: string): Set<string> => new Set(text.match(WORDS) ?? []);

export class Story {
  readonly pages: Page[] = [];
  readonly #startedAt = Date.now();
  readonly #steps: string[] = [];
  readonly #events = new Map<string, { step: number; text: string }[]>();
  /** Where each word was at the last look, by word and place. */
  readonly #places = new Map<string, string>();

  nameOf(page: Page): string {
    return `tab ${this.pages.indexOf(page)}`;
  }

  /** Named before it is done, so that what it causes comes after it. Gives what adds its outcome. */
  begin(step: string): (outcome: string) => void {
    const at = this.#steps.push(this.#dated(step)) - 1;
    return (outcome) => {
      this.#steps[at] = `${this.#steps[at]} ${outcome}`;
    };
  }

  /** Something that happened to the text with that word. */
  note(word: string, event: string): void {
    const events = this.#events.get(word) ?? [];
    events.push({ step: this.#steps.length, text: this.#dated(event) });
    this.#events.set(word, events);
  }

  /** Notes which words are somewhere that were not there before, or have gone since. */
  look(where: string, found: ReadonlyMap<string, string>): void {
    for (const word of new Set([...this.#events.keys(), ...found.keys()])) {
      const key = `${word} ${where}`;
      const [before, now] = [this.#places.get(key) ?? "nowhere", found.get(word) ?? "nowhere"];
      if (before === now) continue;
      this.#places.set(key, now);
      this.note(word, `${where} has it: ${now}`);
    }
  }

  /** The last steps, and all that is known of the words that the problems name. */
  tell(problems: readonly string[]): string {
    const words = [...wordsIn(problems.join("\n"))].map((word) => this.#tellOf(word));
    return ["The last steps:", ...this.#stepsFrom(this.#steps.length - LAST_STEPS), ...words].join("\n");
  }

  #tellOf(word: string): string {
    const events = this.#events.get(word) ?? [];
    const shown = events.slice(-SHOWN_EVENTS);
    const [first, last] = [shown[0]?.step ?? 0, shown.at(-1)?.step ?? 0];
    const [begin, end] = [
      this.#stepsFrom(first - STEPS_AROUND, first + STEPS_AROUND),
      this.#stepsFrom(Math.max(first + STEPS_AROUND, last - STEPS_AROUND), last + STEPS_AROUND),
    ];
    const left = events.length - shown.length;
    return [
      `\n${word}:${left > 0 ? ` (${left} events before)` : ""}`,
      ...shown.map(({ step, text }) => `step ${step}, ${text}`),
      ...["Steps around its beginning and its end:", ...begin, "…", ...end],
    ].join("\n  ");
  }

  #stepsFrom(first: number, end = Infinity): string[] {
    const from = Math.max(0, first);
    return this.#steps.slice(from, end).map((step, at) => `${from + at + 1}: ${step}`);
  }

  #dated(text: string): string {
    return `${((Date.now() - this.#startedAt) / 1000).toFixed(2)} s: ${text}`;
  }
}

/** Where words are in the page, and in the browser's storage, which all pages share. */
export async function lookAround(story: Story, page: Page): Promise<void> {
  const places = await page
    .evaluate(() => {
      const fields = [...document.querySelectorAll<HTMLTextAreaElement>("textarea")];
      return {
        field: fields.map((one): [string, string] => [one.closest("form")?.className ?? "", one.value]),
        row: [...document.querySelectorAll<HTMLElement>("article")].map((element): [string, string] => [
          `${element.dataset.key} ${element.className}`,
          element.textContent ?? "",
        ]),
        stored: Object.entries(localStorage),
      };
    })
    .catch(() => undefined);
  // A page that is being loaded.
  if (!places) return;
  const inPage: [string, string][] = [
    ...places.field.map(([name, text]): [string, string] => [`the field of "${name}"`, text]),
    ...places.row.map(([name, text]): [string, string] => [`the row ${name}`, text]),
  ];
  story.look(story.nameOf(page), byWord(inPage));
  story.look("the storage", byWord(places.stored));
}

function byWord(places: readonly [name: string, text: string][]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, text] of places)
    for (const word of wordsIn(text)) found.set(word, [found.get(word), name].filter(Boolean).join(", "));
  return found;
}
