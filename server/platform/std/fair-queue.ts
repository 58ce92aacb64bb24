/**
 * Runs at most `concurrency` pieces of work at once. Work that waits does so in a lane, in the name of a key,
 * such as the network that asked for it.
 *
 * - A lane takes its keys in turns. So a key with much work waits for its own, and others do not wait for it.
 * - A key may use all places of a lane while nobody else needs them. If none is left, the key that has the
 *   most gives one up for a key that has fewer.
 * - Lanes come in the order of their priority. But each fourth turn belongs to the lane that has waited
 *   longest for one, so that none stands still.
 */
export interface LaneLimits {
  /** How many pieces may wait. */
  readonly maxWaiting: number;
  /** How many may run at once; by default as many as in all lanes. */
  readonly maxRunning?: number;
  /** How many of one key may run at once; by default as many as of all keys. */
  readonly maxRunningOfKey?: number;
}

/** There was no place to wait, or it was given to another key. The work has not begun and will not. */
export class NoPlace extends Error {}

/** A piece of work in the queue. */
export interface Turn<T> {
  /** Rejects with `NoPlace` if the work gets no turn. */
  readonly result: Promise<T>;
  /** Whether the work found a free place to run at once. */
  readonly hasBegun: boolean;
  /** Gives up the place, if the work has not begun. Its result is not settled then. */
  leave(): void;
}

/** Each so many turns, the lane gets one that has waited longest. */
const TURNS_OF_PRIORITY = 4;

interface Waiting {
  begin(): void;
  refuse(): void;
}

export class FairQueue<L extends string> {
  readonly #concurrency: number;
  /** The first has the highest priority. */
  readonly #lanes: ReadonlyMap<L, Lane>;
  #running = 0;
  #turns = 0;

  constructor(concurrency: number, lanes: Readonly<Record<L, LaneLimits>>) {
    this.#concurrency = concurrency;
    const entries = Object.entries(lanes) as [L, LaneLimits][];
    this.#lanes = new Map(entries.map(([name, limits]) => [name, new Lane(limits)]));
  }

  get running(): number {
    return this.#running;
  }

  /** In all lanes. */
  get waiting(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.waiting, 0);
  }

  enter<T>(laneName: L, key: string, work: () => Promise<T>): Turn<T> {
    const lane = this.#lanes.get(laneName) as Lane;
    if (this.#running < this.#concurrency && lane.mayRun(key)) {
      this.#take(lane, key);
      return { result: this.#perform(lane, key, work), hasBegun: true, leave: () => {} };
    }
    let leave = () => {};
    const result = new Promise<T>((resolve, reject) => {
      const waiting: Waiting = {
        begin: () => resolve(this.#perform(lane, key, work)),
        refuse: () => reject(new NoPlace()),
      };
      if (lane.add(key, waiting)) leave = () => lane.remove(key, waiting);
      else waiting.refuse();
    });
    return { result, hasBegun: false, leave };
  }

  #take(lane: Lane, key: string): void {
    this.#running++;
    lane.began(key);
    lane.lastTurn = ++this.#turns;
  }

  async #perform<T>(lane: Lane, key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#running--;
      lane.ended(key);
      this.#fill();
    }
  }

  /** Gives free places to those that wait, before anything that comes now can take them. */
  #fill(): void {
    while (this.#running < this.#concurrency) {
      const lane = this.#nextLane();
      const key = lane?.nextKey();
      if (!lane || key === undefined) return;
      this.#take(lane, key);
      lane.takeFirst(key)?.begin();
    }
  }

  #nextLane(): Lane | undefined {
    const ready = [...this.#lanes.values()].filter((lane) => lane.nextKey() !== undefined);
    if ((this.#turns + 1) % TURNS_OF_PRIORITY !== 0) return ready[0];
    return ready.sort((one, other) => one.lastTurn - other.lastTurn)[0];
  }
}

class Lane {
  waiting = 0;
  lastTurn = 0;
  readonly #limits: LaneLimits;
  /** The key whose turn is next comes first. */
  readonly #byKey = new Map<string, Waiting[]>();
  #running = 0;
  /** Only of keys with work that runs. */
  readonly #runningOf = new Map<string, number>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  mayRun(key: string): boolean {
    const { maxRunning = Infinity, maxRunningOfKey = Infinity } = this.#limits;
    return this.#running < maxRunning && (this.#runningOf.get(key) ?? 0) < maxRunningOfKey;
  }

  began(key: string): void {
    this.#running++;
    this.#runningOf.set(key, (this.#runningOf.get(key) ?? 0) + 1);
  }

  ended(key: string): void {
    this.#running--;
    const left = (this.#runningOf.get(key) ?? 1) - 1;
    if (left > 0) this.#runningOf.set(key, left);
    else this.#runningOf.delete(key);
  }

  /** The key whose turn it is, of those that may run. */
  nextKey(): string | undefined {
    for (const key of this.#byKey.keys()) if (this.mayRun(key)) return key;
    return undefined;
  }

  /** Returns false if there is no place. */
  add(key: string, waiting: Waiting): boolean {
    if (this.waiting >= this.#limits.maxWaiting && !this.#makePlace(key)) return false;
    const own = this.#byKey.get(key);
    if (own) own.push(waiting);
    else this.#byKey.set(key, [waiting]);
    this.waiting++;
    return true;
  }

  remove(key: string, waiting: Waiting): void {
    const own = this.#byKey.get(key);
    const index = own?.indexOf(waiting) ?? -1;
    if (!own || index === -1) return;
    own.splice(index, 1);
    this.waiting--;
    if (own.length === 0) this.#byKey.delete(key);
  }

  /** The first piece of a key that has some. The key then is the last to have another. */
  takeFirst(key: string): Waiting | undefined {
    const own = this.#byKey.get(key) ?? [];
    const first = own.shift();
    this.#byKey.delete(key);
    this.waiting--;
    if (own.length > 0) this.#byKey.set(key, own);
    return first;
  }

  /** Takes the last piece of the key that has the most, if it then has no fewer than this key. */
  #makePlace(key: string): boolean {
    let most: [string, Waiting[]] | undefined;
    for (const entry of this.#byKey) if (!most || entry[1].length > most[1].length) most = entry;
    if (!most || most[1].length <= (this.#byKey.get(key)?.length ?? 0) + 1) return false;
    const last = most[1].at(-1) as Waiting;
    this.remove(most[0], last);
    last.refuse();
    return true;
  }
}
