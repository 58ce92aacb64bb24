/**
 * What of a source came and what did not, in numbers. A person reads it, so each kind of loss is a sentence.
 */

const EXAMPLES = 5;
const MAX_EXAMPLE = 80;

export interface Loss {
  /** What was lost or changed, and why. */
  reason: string;
  count: number;
  examples: string[];
}

export class Report {
  /** How many of each kind the archive has, and how many of them come. */
  readonly counts = new Map<string, { found: number; taken: number }>();
  readonly losses = new Map<string, Loss>();

  found(kind: string, count = 1): void {
    this.#count(kind).found += count;
  }

  taken(kind: string, count = 1): void {
    this.#count(kind).taken += count;
  }

  /** `example`: names a record, for somebody who looks for it in the source. */
  lose(reason: string, example?: string, count = 1): void {
    let loss = this.losses.get(reason);
    if (!loss) {
      loss = { reason, count: 0, examples: [] };
      this.losses.set(reason, loss);
    }
    loss.count += count;
    if (example !== undefined && loss.examples.length < EXAMPLES) loss.examples.push(shortened(example));
  }

  toJSON(): { counts: Record<string, { found: number; taken: number }>; losses: Loss[] } {
    return { counts: Object.fromEntries(this.counts), losses: [...this.losses.values()] };
  }

  #count(kind: string): { found: number; taken: number } {
    let count = this.counts.get(kind);
    if (!count) {
      count = { found: 0, taken: 0 };
      this.counts.set(kind, count);
    }
    return count;
  }
}

function shortened(text: string): string {
  const characters = [...text.replace(/\s+/g, " ")];
  return characters.length > MAX_EXAMPLE ? `${characters.slice(0, MAX_EXAMPLE - 1).join("")}…` : text;
}
