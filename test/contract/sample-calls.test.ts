// Makes every endpoint's sample call, as the pages of the API show it.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { impliedErrors } from "../../api/implied-errors.ts";
import { endpoints } from "../../api/index.ts";
import { curlSample, sampleRequest } from "../../server/integrations/api-reference/samples.ts";
import type { Sql } from "../../server/platform/db/sql.ts";
import type { CastName } from "../harness/harness.ts";
import { withCastPassword } from "../harness/proofs.ts";
import { sentByCurl } from "../harness/sample-requests.ts";
import { arrangements } from "../permissions/samples.ts";
import { refusedSamples } from "./refused-samples.ts";
import { SampleWorld, sampleOf } from "./sample-world.ts";

let world: SampleWorld;
beforeAll(async () => {
  world = await SampleWorld.open();
}, 60_000);
afterAll(() => world.close());

/** Calls for which the database is arranged: messages that are polls, and copies that are ready. */
const arranged = ["addSubmessage", "getOwnDataLink", "deleteOwnDataCopy"];

/** Calls that only work after another one. */
const undoes: Record<string, string> = {
  removeReaction: "addReaction",
  removeApnsToken: "addApnsToken",
  removeFcmToken: "addFcmToken",
};

/** The only owner can't leave, and needs the key that other calls are made with. */
const callers: Record<string, CastName> = {
  deactivateOwnUser: "elin",
  regenerateApiKey: "gus",
  // Bots alone have a storage.
  getBotStorage: "echo",
  updateBotStorage: "echo",
  removeBotStorage: "echo",
};

describe("the sample call of each endpoint works", () => {
  test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (_, endpoint) => {
    // Some calls destroy what they name, so each has things of its own.
    const things = await world.idsFor(endpoint, "ada", {
      ...world.own,
      ...(await world.furnishPassing("ada")),
      // Later calls name the person whom others do.
      ...(endpoint.name === "eraseUser" && { userId: world.harness.user("cleo").id }),
    });
    const first = endpoints.find(({ name }) => name === undoes[endpoint.name]);
    if (arranged.includes(endpoint.name))
      await world.harness.services.database.query(arrangements[endpoint.name] as Sql);
    if (first) await world.call(first, sampleOf(first, things), world.as("ada"));
    const caller = callers[endpoint.name] ?? "ada";
    // The page of the endpoint in docs/api/ shows this command, with other values.
    const sent = sentByCurl(curlSample(sampleRequest(endpoint, things)));
    const { file: _file, ...fields } = sent.fields;
    const pairs = Object.entries(fields).map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
    const refusal = refusedSamples[endpoint.name];
    const { password } = withCastPassword(endpoint, sampleOf(endpoint, things));
    if (!refusal && password !== undefined) pairs.push(`password=${encodeURIComponent(`${password}`)}`);
    const credentials = sent.isSignedIn ? world.as(caller) : {};
    const { status, body } = await world.send(endpoint, sent.path, pairs, credentials);
    const refused = [...endpoint.errors, ...impliedErrors(endpoint)].find(
      ({ code }) => code === refusal,
    )?.status;
    expect([status, body.code], JSON.stringify(body)).toEqual(
      refusal ? [refused, refusal] : [200, undefined],
    );
  });
});
