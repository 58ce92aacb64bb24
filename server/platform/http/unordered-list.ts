/** An item of an UnorderedList. The list writes the index: -1 while the item is in no list. */
export interface Listed {
  listIndex: number;
}

/**
 * A list that items join and leave all the time, in no order. It takes the place of a `Set`, whose old tables
 * refer to their successors: once one of them is in V8's old space, all items of later tables survive young
 * collections, although they left long ago.
 */
export class UnorderedList<T extends Listed> implements Iterable<T> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    item.listIndex = this.#items.length;
    this.#items.push(item);
  }

  /** The last item takes the place of the deleted one. */
  delete(item: T): void {
    const { listIndex } = item;
    if (this.#items[listIndex] !== item) return;
    const last = this.#items.pop() as T;
    if (last !== item) {
      this.#items[listIndex] = last;
      last.listIndex = listIndex;
    }
    item.listIndex = -1;
  }

  /** The items at the time of the call. They may leave the list meanwhile. */
  [Symbol.iterator](): Iterator<T> {
    return [...this.#items].values();
  }
}
