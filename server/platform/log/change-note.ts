import type { Change } from "./change.ts";

/**
 * What a verb passes to the before-commit hooks that no patch says, such as which messages a request asks
 * for. A note lives as long as its change: nothing of it is stored.
 */
export class ChangeNote<T> {
  readonly #values = new WeakMap<Change, T>();

  set(tx: Change, value: T): void {
    this.#values.set(tx, value);
  }

  of(tx: Change): T | undefined {
    return this.#values.get(tx);
  }
}
