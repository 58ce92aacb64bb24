/** Each kind of link and code that works once is used by several at once, on two nodes. One succeeds. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../api/index.ts";
import { takesProof } from "../../api/proof.ts";
import { pagesOfModules } from "../../server/modules.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { firstNode, furtherNode, type HttpNode } from "../harness/http-node.ts";
import { holdTotpStep } from "../harness/one-time-codes.ts";
import { PageWorld } from "../permissions/page-world.ts";
import { oneTime } from "./one-time.ts";

/** What takes a link or a code and is used more often, or is none, with the reason. */
const reusable: Readonly<Record<string, string>> = {
  "POST /unsubscribe/:kind/:code": "Mail programs send it again, and the second time nothing changes.",
  fetchApiKey:
    "It takes the codes of the second step, which startSession is tried with, together with this call.",
  fetchApiKeyByToken: "Another service signs it for many sign-ins, until its time is over.",
  addApnsToken: "It names a phone.",
  addFcmToken: "It names a phone.",
  removeApnsToken: "It names a phone.",
  removeFcmToken: "It names a phone.",
  sendTestNotification: "It names a phone.",
};

holdTotpStep();
let world: PageWorld;
let nodes: readonly HttpNode[];
beforeAll(async () => {
  world = await PageWorld.open();
  nodes = [await firstNode(world.harness), await furtherNode(world.harness)];
}, 60_000);
afterAll(async () => {
  for (const node of [...nodes].reverse()) await node.stop();
  await world.close();
});

describe("used six times at once, on two nodes, it works once:", () => {
  const cases = Object.entries(oneTime).flatMap(([name, kinds]) =>
    kinds.map((kind, index) => [`${name}, ${index + 1} of ${kinds.length}`, kind] as const),
  );
  test.each(cases)("%s", async (_, kind) => {
    await world.harness.services.database.query(sql`delete from sign_in_attempts`);
    const use = await kind(world);
    const uses = Array.from({ length: 6 }, (_each, index) => use(nodes[index % 2] as HttpNode));
    const worked = (await Promise.all(uses)).filter((each) => each);
    expect(worked).toEqual([true]);
    expect(await use(nodes[0] as HttpNode)).toBe(false);
  });
});

test("everything that takes a link or a code is in one of the two lists", () => {
  const pages = pagesOfModules(world.harness.services)
    // A page that is read changes nothing.
    .filter(({ declaration: { method } }) => method === "POST")
    .map(({ declaration: { path } }) => `POST ${path}`)
    .filter((page) => /:(code|token)|\/auth\/|second-step$/.test(page));
  const calls = endpoints
    .filter(({ parameters }) => ["code", "token", "credential"].some((name) => name in parameters))
    .map(({ name, proof }) => ({ name, isProof: proof !== undefined && takesProof(proof) }))
    // A fresh proof takes the codes of the second step, which startSession is tried with.
    .filter(({ name, isProof }) => !isProof || name in oneTime)
    .map(({ name }) => name);
  expect([...pages, ...calls].sort()).toEqual([...Object.keys(oneTime), ...Object.keys(reusable)].sort());
});
