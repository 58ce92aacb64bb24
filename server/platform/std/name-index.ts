import { foldName } from "../../../api/fold-name.ts";

interface Named {
  id: number;
  name: string;
}

/**
 * Things by their names, ignoring case. Two older things may have names that are equal by now. Such a name
 * means the older of them, in whatever order they came. When that one is renamed, it means the other.
 */
export class NameIndex<T extends Named> {
  readonly #byName: Map<string, readonly T[]>;

  constructor(other?: NameIndex<T>) {
    this.#byName = new Map(other === undefined ? [] : other.#byName);
  }

  find(name: string): T | undefined {
    return this.#byName.get(foldName(name))?.[0];
  }

  add(thing: T): void {
    const key = foldName(thing.name);
    const others = this.#byName.get(key);
    // The lists are shared with copies, so they are never changed.
    this.#byName.set(key, others ? [...others, thing].sort((a, b) => a.id - b.id) : [thing]);
  }

  remove(thing: T): void {
    const key = foldName(thing.name);
    const others = this.#byName.get(key)?.filter(({ id }) => id !== thing.id) ?? [];
    if (others.length > 0) this.#byName.set(key, others);
    else this.#byName.delete(key);
  }
}
