/** The ids of the rows of a table, as they come: each larger than the one before. 8 bytes for each. */
export class Ids {
  #values = new Float64Array(1024);
  #size = 0;

  get last(): number {
    return this.#size === 0 ? 0 : (this.#values[this.#size - 1] as number);
  }

  /** Returns false, and adds nothing, for one that is not larger than the last. */
  add(id: number): boolean {
    if (id <= this.last) return false;
    if (this.#size === this.#values.length) {
      const larger = new Float64Array(2 * this.#size);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#size++] = id;
    return true;
  }

  has(id: number): boolean {
    return this.placeOf(id) !== undefined;
  }

  /** From 0. */
  placeOf(id: number): number | undefined {
    let [low, high] = [0, this.#size - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const value = this.#values[middle] as number;
      if (value === id) return middle;
      if (value < id) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}
