// Lessons 6 and 7 of the list in regressions.test.ts, for every endpoint. Each sample call gets an id from
// another organization, or claims a higher role, and must not accept it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint, SampleIds } from "../../api/endpoint.ts";
import { endpoints } from "../../api/index.ts";
import { roles } from "../../api/roles.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { type CastName, createHarness, type Harness, HOST } from "../harness/harness.ts";
import { optionalIds, unknownIds } from "./optional-ids.ts";
import { asIfAbout, call, idsUsedBy, missingIds } from "./sample-call.ts";
import { samples } from "./samples.ts";
import { thingsOf } from "./things-of.ts";

let harness: Harness;
let count = 0;

beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  // One of the sample calls makes a channel web-public.
  await harness.as("ada").patch("/realm", { enable_spectator_access: true });
}, 60_000);
afterAll(() => harness.close());

// 6
describe("an id from another organization is treated as an id that does not exist", () => {
  let own: SampleIds;
  let foreign: SampleIds;
  const ids = [
    "userId",
    "userEmail",
    "botId",
    "channelId",
    "messageId",
    "ownMessageId",
    "groupId",
    "subgroupId",
  ];
  const moreIds = [
    "folderId",
    "defaultGroupId",
    "queueId",
    "snippetId",
    "sessionId",
    "passkeyId",
    "identityId",
    "viewFragment",
    "draftId",
    "attachmentId",
    "uploadPath",
    "exportId",
    "scheduledMessageId",
    "reminderId",
    "profileFieldId",
    "profileFieldIds",
    "linkifierId",
    "linkifierIds",
    "playgroundId",
    "emojiName",
    "domain",
    "invitationId",
    "invitationLinkId",
  ];

  beforeAll(async () => {
    own = await thingsOf(harness, "ada");
    foreign = await thingsOf(harness, "zed");
  });

  const cases = samples.flatMap((sample) =>
    [...idsUsedBy(sample)]
      .filter((key) => [...ids, ...moreIds].includes(key))
      .map((key) => [sample.name, key, sample] as const),
  );
  test.each(cases)("%s with the %s of another", async (_, key, sample) => {
    const { id, email, apiKey } = harness.user("ada");
    expect(id).not.toBe(foreign.userId);
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
    const headers = { host: HOST, authorization };
    const before = await headOf("zed");
    const withForeign = { ...own, [key]: foreign[key], freshName: `fresh${++count}` };
    const answer = await call(harness.app, sample.endpoint, sample.parameters(withForeign), headers);
    expect(await headOf("zed")).toBe(before);
    const withGhost = { ...own, [key]: missingIds[key], freshName: `fresh${++count}` };
    const ghost = await call(harness.app, sample.endpoint, sample.parameters(withGhost), headers);
    // A created thing has its own name and id, and lists may have grown because of it.
    if (answer.status === 200 && sample.endpoint.method !== "GET") expect(ghost.status).toBe(200);
    else expect(answer).toEqual({ status: ghost.status, text: asIfAbout(withForeign, ghost.text) });
    expect(answer.text).not.toMatch(/@zed\.test|@other\.test/);
  });

  test.each(optionalIds.map((each) => [each.name, each] as const))("%s of another", async (_, each) => {
    const { endpoint, parameter, parameters, written } = each;
    const { email, apiKey } = harness.user("ada");
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
    const headers = { host: HOST, authorization };
    const callWith = (ids: SampleIds) =>
      call(
        harness.app,
        endpoint,
        { ...parameters({ ...own, freshName: `fresh${++count}` }), [parameter]: written(ids) },
        headers,
      );
    const before = await headOf("zed");
    const answer = await callWith(foreign);
    expect(await headOf("zed")).toBe(before);
    const ghost = await callWith(missingIds);
    if (answer.status === 200 && endpoint.method !== "GET") expect(ghost.status).toBe(200);
    else expect(withoutDigits(answer)).toEqual(withoutDigits(ghost));
    expect(answer.text).not.toMatch(/@zed\.test|@other\.test/);
  });

  test("every parameter that may be an id is tested", () => {
    expect(optionalIds.length).toBeGreaterThan(40);
    expect(unknownIds).toEqual([]);
  });

  test("every kind of id that calls can name is tested", () => {
    const texts = ["topic", "channelName", "lastEventId", "freshName"];
    const named = new Set(samples.flatMap((sample) => [...idsUsedBy(sample)]));
    expect([...named].filter((key) => ![...ids, ...moreIds, ...texts].includes(key))).toEqual([]);
  });
});

// 7
describe("nobody can raise their own role", () => {
  const claims = {
    role: roles.owner,
    is_admin: true,
    is_owner: true,
    is_guest: false,
    bot_owner_id: 1,
    can_create_users: true,
  };
  /** Things that no call has changed. To make them takes thirty calls, and most of the calls are refused. */
  let untouched: SampleIds | undefined;

  test.each(
    endpoints.filter(({ method }) => method !== "GET").map((endpoint) => [endpoint.name, endpoint] as const),
  )("by what they add to %s", async (_, endpoint) => {
    untouched ??= await thingsOf(harness, "ada");
    const own = untouched;
    for (const name of ["echo", "gus"] as const) {
      const before = harness.user(name).user;
      if (!before.isActive) return;
      const undeclared = Object.entries(claims).filter(([field]) => !(field in endpoint.parameters));
      const sample = { ...endpoint.sample(own), ...Object.fromEntries(undeclared) };
      const { email, apiKey } = harness.user(name);
      const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
      const { status } = await call(harness.app, endpoint as Endpoint, sample, { host: HOST, authorization });
      if (status === 200) untouched = undefined;
      const { role, botOwnerId } = harness.user(name).user;
      expect({ role, botOwnerId }).toEqual({ role: before.role, botOwnerId: before.botOwnerId });
    }
  });

  test("only administrators may call an endpoint that takes a role", () => {
    const taking = endpoints
      .filter(({ parameters }) => "role" in parameters)
      // Owners of bots may call it too, but not with a role: server/integrations/bots/update-bot.test.ts.
      // Members invite too: server/accounts/invitations/invitations.test.ts shows as what.
      .filter(({ name }) => name !== "updateBot");
    for (const { name, access } of taking)
      expect([name, access]).toEqual([name, expect.stringMatching(/administrator|owner/)]);
  });
});

/** An error may name what was asked for. */
function withoutDigits({ status, text }: { status: number; text: string }) {
  return { status, text: text.replace(/[\w-]*\d[\w-]*|no such channel|no_such_emoji/g, "#") };
}

async function headOf(name: CastName): Promise<number> {
  const { organizationId } = harness.user(name).viewer.state;
  const [row] = await harness.services.database.query<{ head: number }>(
    sql`select head from organization_logs where organization_id = ${organizationId}`,
  );
  return (row as { head: number }).head;
}
