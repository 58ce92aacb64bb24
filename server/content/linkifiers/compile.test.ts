/** A pattern takes milliseconds to compile, so a change compiles the changed one alone (F13). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import { linkifiers } from "./linkifier.ts";

let harness: Harness;
let node: Node;
const COUNT = 6;

beforeAll(async () => {
  harness = await createHarness();
  for (let n = 0; n < COUNT; n++) await expectSuccess(harness.as("ada").post("/realm/filters", long(n)));
  node = await Node.start(harness.services.config, harness.services.database.connection, {
    organizationId: harness.state.organizationId,
  });
});
afterAll(async () => {
  await node?.stop();
  await harness?.close();
});

const long = (n: number) => ({
  pattern: `#${n}x(?P<id>[a-z0-9]{1,90})`,
  url_template: `https://recipes.example/${n}/{id}`,
});

const memories = () => [harness.state, node.state].map((state) => state.get(linkifiers));
const idsOf = () => memories()[0]?.rows.map(({ id }) => id) ?? [];

/** The compiled patterns of each node before the change, and after each node has it. */
async function around(change: () => Promise<unknown>) {
  const before = memories().map(({ compiled }) => compiled);
  await change();
  await node.state.catchUp();
  const after = memories().map(({ compiled }) => compiled);
  return before.map((compiled, at) => ({ before: compiled, after: after[at] ?? [] }));
}

test("a new pattern leaves the others as they are, on each node", async () => {
  const nodes = await around(() => expectSuccess(harness.as("ada").post("/realm/filters", long(COUNT))));
  for (const { before, after } of nodes) {
    expect(before).toHaveLength(COUNT);
    expect(after).toHaveLength(COUNT + 1);
    expect(before.every((each, at) => each === after[at])).toBe(true);
  }
});

test("another pattern in the place of one, another order and a removal compile nothing else", async () => {
  const [first = 0, ...others] = idsOf();
  const changed = await around(() =>
    expectSuccess(harness.as("ada").patch(`/realm/filters/${first}`, long(99))),
  );
  for (const { before, after } of changed) {
    expect(after[0]).not.toBe(before[0]);
    expect(after.slice(1).every((each, at) => each === before[at + 1])).toBe(true);
  }
  const ordered = await around(() =>
    expectSuccess(
      harness.as("ada").patch("/realm/linkifiers", { ordered_linkifier_ids: [...others, first] }),
    ),
  );
  for (const { before, after } of ordered)
    expect(after.every((each, at) => each === before[(at + 1) % before.length])).toBe(true);
  const removed = await around(() => expectSuccess(harness.as("ada").delete(`/realm/filters/${first}`)));
  for (const { before, after } of removed)
    expect(after.every((each, at) => each === before[at]) && after.length === before.length - 1).toBe(true);
});
