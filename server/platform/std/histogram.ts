/**
 * Counts values by size, as Prometheus' histograms do. To observe a value costs a few comparisons, so parts
 * of the server keep histograms whether or not anybody reads them.
 */
export class Histogram {
  /** The upper bounds of the buckets, ascending. A last bucket takes what is larger than all of them. */
  readonly bounds: readonly number[];
  /** How many values each bucket has; one more than there are bounds. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] as number)) bucket++;
    (this.counts[bucket] as number)++;
    this.sum += value;
  }

  get total(): number {
    return this.counts.reduce((total, count) => total + count, 0);
  }
}
