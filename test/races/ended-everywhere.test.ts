/**
 * What ends, ends everywhere: each ending, asked of one node, against all that somebody holds on another. A
 * table in `endings/` says for each pair whether it ends or why it goes on.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reactivateOrganization } from "../../server/organization/deactivate.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { expectSuccess } from "../harness/answers.ts";
import { createHarness, type Harness, serverConnections } from "../harness/harness.ts";
import { firstNode, furtherNode, type HttpNode } from "../harness/http-node.ts";
import { runJobs } from "../harness/jobs.ts";
import { holdTotpStep } from "../harness/one-time-codes.ts";
import { endings } from "./endings/endings.ts";
import { type HeldName, holdAll } from "./endings/held.ts";
import { addEverything } from "./endings/person.ts";

holdTotpStep();

let harness: Harness;
let one: HttpNode;
let two: HttpNode;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" }, serverConnections);
  one = await firstNode(harness);
  two = await furtherNode(harness);
  await expectSuccess(harness.as("ada").post("/export/realm", { export_type: 1 }));
  await runJobs(harness.services);
}, 60_000);
afterAll(async () => {
  await two.stop();
  await one.stop();
  await harness.close();
});

describe.each([
  ["the first node", "the second"],
  ["the second node", "the first"],
])("asked of %s and held by %s", (asked) => {
  test.each(Object.entries(endings))(
    "%s",
    async (_, { act, goesOn }) => {
      const [acting, holding] = asked === "the first node" ? [one, two] : [two, one];
      const person = await addEverything(harness);
      const held = await holdAll({ harness, node: holding, person });
      // Each asks for something of its own, so they are asked at once and share what calls wait for.
      const seen = async (): Promise<Partial<Record<HeldName, string>>> => {
        const asked = [...held].map(async ([name, { goesOn }]) => [
          name,
          (await goesOn()) ? "goes on" : "ends",
        ]);
        return Object.fromEntries(await Promise.all(asked));
      };
      const before = await seen();
      expect(before).toEqual(Object.fromEntries([...held.keys()].map((name) => [name, "goes on"])));
      await act({ harness, node: acting, person });
      const expected = Object.fromEntries(
        [...held.keys()].map((name) => [name, name in goesOn ? "goes on" : "ends"]),
      );
      // A second is what is promised, and `npm run bench endings` measures it. Other tests may keep the
      // machine busy meanwhile.
      await expect.poll(seen).toEqual(expected);
      const used: string[] = [];
      for (const [name, { use }] of held) if (!(name in goesOn) && (await use?.())) used.push(name);
      expect(used).toEqual([]);
      for (const { end } of held.values()) end?.();
      await runStateChange(acting.state, reactivateOrganization);
    },
    60_000,
  );
});
