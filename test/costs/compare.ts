import { LEDGER, type Ledger, type VerbCosts } from "./ledger.ts";

export interface Difference {
  verb: string;
  isDearer: boolean;
  /** For people, such as `round trips 3 → 4`. */
  change: string;
}

/** Ids and times in texts have more digits from time to time, so this share of the WAL's bytes may differ. */
const WAL_BYTES_TOLERANCE = 0.05;

/** What differs between the ledger's verbs and those measured. */
export function compare(known: Ledger["verbs"], measured: Ledger["verbs"]): Difference[] {
  const names = new Set([...Object.keys(known), ...Object.keys(measured)]);
  return [...names].flatMap((verb) => {
    const [before, now] = [known[verb], measured[verb]];
    if (before && now) return compareVerb(verb, before, now);
    return [{ verb, isDearer: false, change: now ? "is new" : "is no longer measured" }];
  });
}

function compareVerb(verb: string, before: VerbCosts, now: VerbCosts): Difference[] {
  const [from, to] = [figuresOf(before), figuresOf(now)];
  const differences = [...new Set([...from.keys(), ...to.keys()])].flatMap((what) => {
    const [old, current] = [from.get(what) ?? 0, to.get(what) ?? 0];
    if (old === current) return [];
    const isDearer = current > old && !isRenamed(what, before, now);
    return [{ verb, isDearer, change: `${what} ${old} → ${current}` }];
  });
  const { walBytes } = before;
  if (Math.abs(now.walBytes - walBytes) > WAL_BYTES_TOLERANCE * walBytes)
    differences.push({
      verb,
      isDearer: now.walBytes > walBytes,
      change: `bytes of the WAL ${walBytes} → ${now.walBytes}`,
    });
  return differences;
}

/** Another statement in the place of one is not dearer, unless it is planned at each call. */
function isRenamed(what: string, before: VerbCosts, now: VerbCosts): boolean {
  const isStatement = what.startsWith("statement ") && !what.endsWith('(unnamed)"');
  return isStatement && now.statements.length <= before.statements.length;
}

/** All that is exact, by what it is. */
function figuresOf(costs: VerbCosts): Map<string, number> {
  const figures = new Map<string, number>([
    ["statements", costs.statements.length],
    ["round trips in sequence", costs.roundTrips],
    ["rows received", costs.rowsReceived],
    ["records of the WAL", costs.walRecords],
    ["events", costs.events.length],
  ]);
  const add = (what: string, count: number) => figures.set(what, (figures.get(what) ?? 0) + count);
  for (const statement of costs.statements) add(`statement "${statement}"`, 1);
  for (const [table, count] of Object.entries(costs.rowsWritten)) add(`rows written to ${table}`, count);
  for (const { who, event, bytes } of costs.events) {
    add(`${event} events of the ${who}`, 1);
    add(`bytes of the ${event} events of the ${who}`, bytes);
  }
  return figures;
}

/** Says which verbs became dearer or cheaper, by what, and what is to be done. Empty if nothing differs. */
export function explain(differences: readonly Difference[]): string {
  if (differences.length === 0) return "";
  const verbs = [...new Set(differences.map(({ verb }) => verb))];
  const lines = verbs.flatMap((verb) => {
    const own = differences.filter((each) => each.verb === verb);
    return [
      ...lineOf(
        `${verb} is dearer`,
        own.filter(({ isDearer }) => isDearer),
      ),
      ...lineOf(
        `${verb} is cheaper or other`,
        own.filter(({ isDearer }) => !isDearer),
      ),
    ];
  });
  const command = differences.some(({ isDearer }) => isDearer)
    ? `node tools/costs.js --write "why it is worth that"`
    : "node tools/costs.js --write";
  return [
    `Verbs no longer cost what ${LEDGER} says:`,
    ...lines,
    "If that is meant, write the ledger again, and commit it with the change that caused it:",
    `  ${command}`,
  ].join("\n");
}

function lineOf(what: string, differences: readonly Difference[]): string[] {
  return differences.length === 0 ? [] : [`  ${what}: ${differences.map(({ change }) => change).join("; ")}`];
}

/**
 * The ledger after a measurement. Throws if a verb became dearer and there is no reason. What cost the same
 * stays as it was written, since statements that are sent together come in any order.
 */
export function rewrite(ledger: Ledger, measured: Ledger["verbs"], why: string): Ledger {
  const differences = compare(ledger.verbs, measured);
  const dearer = differences.filter(({ isDearer }) => isDearer);
  if (dearer.length > 0 && why === "") throw new Error(explain(differences));
  const changed = new Set(differences.map(({ verb }) => verb));
  const verbs = Object.entries(measured).map(
    ([name, costs]) => [name, changed.has(name) ? costs : (ledger.verbs[name] ?? costs)] as const,
  );
  const reason = { why, changes: dearer.map(({ verb, change }) => `${verb}: ${change}`) };
  return {
    verbs: Object.fromEntries(verbs),
    reasons: dearer.length > 0 ? [...ledger.reasons, reason] : ledger.reasons,
  };
}
