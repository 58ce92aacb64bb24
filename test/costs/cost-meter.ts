import { forms } from "../harness/follow.ts";
import type { CastName, Harness } from "../harness/harness.ts";
import { type Listener, listen } from "../harness/listener.ts";
import type { EventCost, VerbCosts } from "./ledger.ts";
import { countStatements } from "./statement-count.ts";
import { WriteMeter } from "./writes.ts";

/** The two members of a world, from the cast. */
export const members = { caller: "dev", other: "elin" } as const satisfies Record<string, CastName>;

interface MemberListener {
  who: keyof typeof members;
  listener: Listener;
}

/** Measures what work costs on a server of the harness. One piece of work at a time. */
export class CostMeter {
  readonly #harness: Harness;
  readonly #writes: WriteMeter;
  readonly #listeners: readonly MemberListener[];

  private constructor(harness: Harness, writes: WriteMeter, listeners: readonly MemberListener[]) {
    this.#harness = harness;
    this.#writes = writes;
    this.#listeners = listeners;
  }

  /** `watchStatements` must have been called before the harness was made. */
  static async open(harness: Harness): Promise<CostMeter> {
    const writes = await WriteMeter.open(harness.services.database.connection);
    const listeners = await Promise.all(
      (["caller", "other"] as const).map(async (who) => ({
        who,
        listener: await listen(harness.as(members[who]), forms.modern),
      })),
    );
    return new CostMeter(harness, writes, listeners);
  }

  async close(): Promise<void> {
    await this.#writes.close();
  }

  /** What some work costs: its statements, what it writes, and the events that both members get. */
  async costsOf<T>(work: () => Promise<T>): Promise<{ value: T; costs: VerbCosts }> {
    await this.#heard();
    await this.#writes.start();
    const { value, count } = await countStatements(work);
    const writes = await this.#writes.stop();
    return { value, costs: { ...count, ...writes, events: await this.#heard() } };
  }

  async #heard(): Promise<EventCost[]> {
    const { state } = this.#harness;
    await state.catchUp();
    const heard = await Promise.all(
      this.#listeners.map(async ({ who, listener }) =>
        (await listener.heard()).map((event) => ({ who, event })),
      ),
    );
    return heard.flat().map(({ who, event }) => ({ who, event: eventName(event), bytes: bytesOf(event) }));
  }
}

function eventName({ type, op }: { type: string; op?: string }): string {
  return op === undefined ? type : `${type}/${op}`;
}

/** Without numbers: ids and times have more digits from time to time. */
function bytesOf(event: unknown): number {
  const text = JSON.stringify(event, (_key, value) => (typeof value === "number" ? 0 : value));
  return Buffer.byteLength(text);
}
