// `node tools/costs.js --write` lets this test write what it measures.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness, serverConnections } from "../harness/harness.ts";
import { compare, explain, rewrite } from "./compare.ts";
import { readLedger, writeLedger } from "./ledger.ts";
import { measureAll } from "./measure.ts";
import { watchStatements } from "./statement-count.ts";

/** Why verbs became dearer; undefined: the ledger is compared and not written. */
const toWrite = process.env.PARLEY_WRITE_COSTS;
let harness: Harness;
let unwatch: () => void;
beforeAll(async () => {
  unwatch = watchStatements();
  harness = await createHarness({}, serverConnections);
});
afterAll(async () => {
  unwatch();
  await harness.close();
});

test("each verb costs what the ledger says", async () => {
  const measured = await measureAll(harness);
  const ledger = readLedger();
  if (toWrite !== undefined) {
    writeLedger(rewrite(ledger, measured, toWrite));
    return;
  }
  const problem = explain(compare(ledger.verbs, measured));
  if (problem !== "") expect.fail(problem);
}, 120_000);
