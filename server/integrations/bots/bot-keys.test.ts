/** Who is shown the keys of bots and the tokens of their services: decision 56. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { CAST_PASSWORD } from "../../../test/harness/cast.ts";
import { type Caller, type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { makeProofsOld } from "../../../test/harness/proofs.ts";
import { browserAs } from "../../../test/harness/sessions.ts";
import { sql } from "../../platform/db/sql.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const outgoing = { bot_type: 3, payload_url: "https://build.example.com/chat" };
const KEY = /^[A-Za-z0-9]{32}$/;

let made = 0;
async function make(owner: CastName, given: object = outgoing): Promise<{ id: number; key: string }> {
  const bot = { full_name: `Bot ${++made}`, short_name: `bot${made}`, ...given };
  const { user_id, api_key } = await expectSuccess(harness.as(owner).post("/bots", bot));
  return { id: user_id, key: api_key };
}

/** A session in which nobody has shown anything for long. */
async function oldSession(name: CastName): Promise<Caller> {
  const browser = await browserAs(harness, name);
  await makeProofsOld(harness);
  return browser;
}

const sessions = {
  "a fresh session": (name: CastName) => browserAs(harness, name),
  "an old session": oldSession,
};

interface Shown {
  user_id: number;
  api_key?: string;
  services: { base_url: string; token?: string }[];
}

async function listed(caller: Caller, id: number): Promise<(Shown | undefined)[]> {
  const ofId = (bots: Shown[]) => bots.find(({ user_id }) => user_id === id);
  const { bots } = await expectSuccess(caller.get("/bots"));
  const { realm_bots } = await expectSuccess(caller.post("/register", { event_types: ["realm_bot"] }));
  return [ofId(bots), ofId(realm_bots)];
}

const secretsOf = (bot: Shown | undefined) => [
  bot?.api_key,
  ...(bot?.services ?? []).map(({ token }) => token),
];

describe("with an API key", () => {
  test("a bot is listed and registered with its key and its service's token", async () => {
    const { id, key } = await make("dev");
    for (const bot of await listed(harness.as("dev"), id))
      expect(secretsOf(bot)).toEqual([key, expect.stringMatching(KEY)]);
  });

  test("events have the key and the token, also after a replay from the log", async () => {
    const dev = await listen(harness.as("dev", { byKeyAlone: true }), { event_types: ["realm_bot"] });
    const { id, key } = await make("dev");
    const [queue] = [queuesOf(harness.state).byId.get(dev.queueId)];
    if (!queue) throw new Error("the queue is not there");
    harness.services.queues.forget(harness.state, queue);
    const { api_key } = await expectSuccess(harness.as("dev").post(`/bots/${id}/api_key/regenerate`));
    const [added, updated] = await dev.heard();
    expect(secretsOf(added.bot)).toEqual([key, expect.stringMatching(KEY)]);
    expect(updated.bot).toEqual({ user_id: id, api_key });
  });

  test("the call gives the key and the tokens without a proof", async () => {
    const { id, key } = await make("dev");
    const reply = await expectSuccess(harness.as("dev", { byKeyAlone: true }).post(`/bots/${id}/api_key`));
    expect(reply).toMatchObject({
      api_key: key,
      services: [{ base_url: outgoing.payload_url, interface: 1, token: expect.stringMatching(KEY) }],
    });
    const generic = await make("dev", {});
    const other = await expectSuccess(harness.as("dev").post(`/bots/${generic.id}/api_key`));
    expect(other).toMatchObject({ api_key: generic.key, services: [] });
  });
});

describe.each(Object.entries(sessions))("in %s", (_, begin) => {
  test("a bot is listed and registered without its key and its service's token", async () => {
    const { id } = await make("dev");
    for (const bot of await listed(await begin("dev"), id)) {
      expect(bot).toMatchObject({
        user_id: id,
        services: [{ base_url: outgoing.payload_url, interface: 1 }],
      });
      expect(bot).not.toHaveProperty("api_key");
      expect(bot?.services[0]).not.toHaveProperty("token");
    }
  });

  test("so are bots of others, for an administrator, and deactivated ones", async () => {
    const { id } = await make("dev");
    await expectSuccess(harness.as("dev").delete(`/bots/${id}`));
    const [, registered] = await listed(await begin("ben"), id);
    expect(registered).toMatchObject({ user_id: id, is_active: false });
    expect(secretsOf(registered)).toEqual([undefined, undefined]);
  });

  test("events have neither, in a replay from the log too", async () => {
    const browser = await begin("dev");
    for (const isReplay of [false, true]) {
      const dev = await listen(browser, { event_types: ["realm_bot"] });
      const queue = queuesOf(harness.state).byId.get(dev.queueId);
      const { id, key } = await make("dev");
      const before = await expectSuccess(harness.as("dev").post(`/bots/${id}/api_key`));
      const next = { service_payload_url: "https://other.example.com/" };
      await expectSuccess(harness.as("dev").patch(`/bots/${id}`, next));
      const { api_key } = await expectSuccess(harness.as("dev").post(`/bots/${id}/api_key/regenerate`));
      if (isReplay && queue) harness.services.queues.forget(harness.state, queue);
      const heard = await dev.heard();
      expect(heard.map(({ op, bot }) => [op, bot.user_id])).toEqual([
        ["add", id],
        ["update", id],
        ["update", id],
      ]);
      expect(heard[2].bot).toEqual({ user_id: id });
      const text = JSON.stringify(heard);
      for (const secret of [key, api_key, before.services[0].token]) expect(text).not.toContain(secret);
    }
  });
});

describe("the call for a bot's key", () => {
  test("needs a fresh proof in a session", async () => {
    const { id, key } = await make("dev");
    const fresh = await browserAs(harness, "dev");
    expect(await expectSuccess(fresh.post(`/bots/${id}/api_key`))).toMatchObject({ api_key: key });
    await makeProofsOld(harness);
    expect((await fresh.post(`/bots/${id}/api_key`)).body).toMatchObject({ code: "RECENT_PROOF_REQUIRED" });
    const wrong = await fresh.post(`/bots/${id}/api_key`, { password: "wrong" });
    expect(JSON.stringify(wrong.body)).not.toContain(key);
    const proven = await expectSuccess(fresh.post(`/bots/${id}/api_key`, { password: CAST_PASSWORD }));
    expect(proven).toMatchObject({ api_key: key });
  });

  test("is for the owner and administrators alone", async () => {
    const { id, key } = await make("dev");
    const path = `/bots/${id}/api_key`;
    expect(await expectSuccess(harness.as("ben").post(path))).toMatchObject({ api_key: key });
    expect(await expectSuccess((await browserAs(harness, "ben")).post(path))).toMatchObject({ api_key: key });
    for (const begin of [
      (name: CastName) => browserAs(harness, name),
      async (name: CastName) => harness.as(name),
    ]) {
      for (const name of ["elin", "cleo", "gus"] as const)
        expect(await refusal((await begin(name)).post(path))).toContain("permission");
      expect(await refusal((await begin("zed")).post(path))).toContain("No such bot");
      const person = `/bots/${harness.user("elin").id}/api_key`;
      expect(await refusal((await begin("dev")).post(person))).toContain("No such bot");
    }
    expect(await refusal(harness.as("echo").post(path))).toContain("does not accept bot");
  });

  test("of a bot with the role of an owner is for owners alone", async () => {
    const { id } = await make("dev");
    await expectSuccess(harness.as("ada").patch(`/bots/${id}`, { role: roles.owner }));
    expect(await refusal(harness.as("ben").post(`/bots/${id}/api_key`))).toContain("owner");
    await expectSuccess(harness.as("ada").post(`/bots/${id}/api_key`));
  });

  test("gives the key of a deactivated bot, which has another one when it comes back", async () => {
    const { id, key } = await make("dev");
    await expectSuccess(harness.as("dev").delete(`/bots/${id}`));
    const keyNow = async () => (await expectSuccess(harness.as("dev").post(`/bots/${id}/api_key`))).api_key;
    expect(await keyNow()).toBe(key);
    const dev = await listen(harness.as("dev"), { event_types: ["realm_bot"] });
    await expectSuccess(harness.as("ben").post(`/users/${id}/reactivate`));
    const next = await keyNow();
    expect(next).not.toBe(key);
    expect((await dev.heard()).map(({ bot }) => bot)).toMatchObject([{ api_key: next, is_active: true }]);
  });

  test("settings of a bot's program are not shown in a session", async () => {
    const { id } = await make("dev");
    const change = { config_data: { city: "Oslo" } };
    const { config_data } = await expectSuccess(harness.as("dev").patch(`/bots/${id}`, change));
    expect(config_data).toEqual({ city: "Oslo" });
    const inSession = await expectSuccess((await browserAs(harness, "dev")).patch(`/bots/${id}`, {}));
    expect(inSession).not.toHaveProperty("config_data");
  });

  test("does not exist as a GET, whose address would have the password", async () => {
    const { id } = await make("dev");
    expect((await harness.as("dev").get(`/bots/${id}/api_key`)).status).toBe(405);
  });
});

describe("a queue", () => {
  test("of an API key is not polled in a session, and goes on for the key", async () => {
    const dev = await listen(harness.as("dev"), { event_types: ["realm_bot"] });
    const { id } = await make("dev");
    const browser = await browserAs(harness, "dev");
    const poll = { queue_id: dev.queueId, last_event_id: dev.snapshot.last_event_id, dont_block: true };
    expect((await browser.get("/events", poll)).body.code).toBe("BAD_EVENT_QUEUE_ID");
    expect((await dev.heard()).map(({ bot }) => bot.user_id)).toEqual([id]);
  });

  test("of a session shows no key to the API key either", async () => {
    const { queueId, snapshot } = await listen(await browserAs(harness, "dev"), {
      event_types: ["realm_bot"],
    });
    const { id } = await make("dev");
    const poll = { queue_id: queueId, last_event_id: snapshot.last_event_id, dont_block: true };
    const { events } = await expectSuccess(harness.as("dev").get("/events", poll));
    expect(events).toMatchObject([{ bot: { user_id: id } }]);
    expect(secretsOf(events[0].bot)).toEqual([undefined, undefined]);
  });

  test("from before this was kept shows no key", async () => {
    const dev = await listen(harness.as("dev"), { event_types: ["realm_bot"] });
    const queue = queuesOf(harness.state).byId.get(dev.queueId);
    if (queue) harness.services.queues.forget(harness.state, queue);
    await harness.services.database.query(sql`
      update event_queues set options = options - 'sessionId' where id = ${dev.queueId}`);
    await make("dev");
    const [added] = await dev.heard();
    expect(secretsOf(added.bot)).toEqual([undefined, undefined]);
  });
});

describe("in an old session the token does not go to another address", () => {
  test("without a proof", async () => {
    const { id } = await make("dev");
    const browser = await oldSession("dev");
    const service = { service_payload_url: "https://attacker.example/" };
    expect((await browser.patch(`/bots/${id}`, service)).body.code).toBe("RECENT_PROOF_REQUIRED");
    await expectSuccess(browser.patch(`/bots/${id}`, { ...service, password: CAST_PASSWORD }));
    await makeProofsOld(harness);
    await expectSuccess(browser.patch(`/bots/${id}`, { full_name: `Renamed ${id}` }));
  });
});

test("what was just made is shown in the session that made it", async () => {
  const browser = await browserAs(harness, "dev");
  const bot = { full_name: "Fresh Bot", short_name: "fresh" };
  const { user_id, api_key } = await expectSuccess(browser.post("/bots", bot));
  expect(api_key).toMatch(KEY);
  const next = await expectSuccess(browser.post(`/bots/${user_id}/api_key/regenerate`));
  expect(next.api_key).toMatch(KEY);
  await makeProofsOld(harness);
  expect((await browser.post("/bots", { ...bot, short_name: "stale" })).body.code).toBe(
    "RECENT_PROOF_REQUIRED",
  );
  const renewed = await browser.post(`/bots/${user_id}/api_key/regenerate`);
  expect(renewed.body.code).toBe("RECENT_PROOF_REQUIRED");
});
