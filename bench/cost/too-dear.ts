import type { Multiples } from "./times.ts";

/** Further than noise reaches; docs/costs.md says how far it does. */
const MOST = 2;
/** In bare answers. Where a verb takes hardly more than one, as presence does, twice as much is noise. */
const ALLOWANCE = 1;

/**
 * The verbs that take more than twice what is known and one bare answer besides, in Node or altogether. A
 * verb that is not known is not compared.
 */
export function tooDear(known: Multiples, measured: Multiples): { verb: string; change: string }[] {
  return Object.entries(measured).flatMap(([verb, now]) => {
    const before = known[verb];
    if (!before) return [];
    const kinds = [
      { what: "Node's time", from: before.node, to: now.node },
      { what: "all its time", from: before.node + before.database, to: now.node + now.database },
    ];
    const worse = kinds.find(({ from, to }) => to > MOST * from + ALLOWANCE);
    if (!worse) return [];
    const { what, from, to } = worse;
    return [{ verb, change: `${verb}: ${what} ${from.toFixed(1)} → ${to.toFixed(1)} bare answers` }];
  });
}
