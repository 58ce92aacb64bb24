import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { capabilityNames } from "../../../api/integrations/real-time.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { createUser, deactivateUser } from "../../people/actions.ts";
import { updateUserSettings } from "../../people/settings/update-settings.ts";
import { users } from "../../people/user.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { MAX_ANNOUNCED_PEOPLE } from "./events.ts";
import { PresenceExchange } from "./exchange.ts";
import { presences } from "./presences.ts";

const DAY_MS = 24 * 3600 * 1000;
const modern = Object.fromEntries(capabilityNames.map((name) => [name, true]));

let harness: Harness;
let exchange: PresenceExchange;
let clock = Date.now();
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  exchange = new PresenceExchange(harness.services, () => {});
  // Everybody is offline, also those who were there in the tests before.
  clock += 60 * DAY_MS;
  vi.setSystemTime(clock);
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
const seconds = () => Math.floor(Date.now() / 1000);
const id = (name: CastName) => harness.user(name).id;
const report = (name: CastName, params: Record<string, unknown> = {}) =>
  expectSuccess(harness.as(name).post("/users/me/presence", { status: "active", ...params }));
const peopleIn = (answer: { presences: object }) => Object.keys(answer.presences).map(Number).sort();

/** What a client learns that knew everything until then. */
async function newsFor(name: CastName, action: () => Promise<unknown>): Promise<number[]> {
  await exchange.run();
  const { presence_last_update_id } = await report(name, { last_update_id: -1 });
  await action();
  await exchange.run();
  return peopleIn(await report(name, { last_update_id: presence_last_update_id }));
}

describe("a report", () => {
  test("with an id is answered in the modern form, and the next answer has only what is new", async () => {
    await report("ada");
    later(30);
    const first = await report("dev", { status: "idle", last_update_id: -1 });
    expect(first.presences[id("dev")].idle_timestamp).toBe(seconds());
    expect(first.presences[id("ada")]).toEqual({
      active_timestamp: seconds() - 30,
      idle_timestamp: seconds() - 30,
    });
    expect(first.server_timestamp).toBeCloseTo(Date.now() / 1000, 0);
    await exchange.run();
    const second = await report("dev", { status: "idle", last_update_id: first.presence_last_update_id });
    expect(peopleIn(second)).toEqual([id("ada"), id("dev")].sort());
    expect(second.presence_last_update_id).toBeGreaterThan(first.presence_last_update_id);
    const third = await report("dev", { last_update_id: second.presence_last_update_id });
    expect(third).toMatchObject({
      presences: {},
      presence_last_update_id: second.presence_last_update_id,
    });
  });

  test("without an id is answered in the older form, with everybody", async () => {
    await report("ada");
    later(100);
    const { presences: people } = await report("dev", { status: "idle" });
    const website = { client: "website", status: "active", timestamp: seconds() - 100 };
    expect(people["ada@demo.test"]).toEqual({
      website: { ...website, pushable: false },
      aggregated: website,
    });
    const slim = await report("dev", { slim_presence: true });
    expect(slim.presences[id("ada")].active_timestamp).toBe(seconds() - 100);
  });

  test("of a connection alone leaves the person active for a while, in the older form", async () => {
    await report("ada");
    const statuses = [];
    for (const _ of [1, 2, 3]) {
      later(35);
      await report("ada", { status: "idle" });
      const { aggregated } = (await report("dev")).presences["ada@demo.test"];
      statuses.push([aggregated.status, seconds() - aggregated.timestamp]);
    }
    expect(statuses).toEqual([
      ["active", 35],
      ["active", 70],
      ["idle", 0],
    ]);
  });

  test("can ask for nothing", async () => {
    expect(Object.keys(await report("dev", { ping_only: true }))).toEqual(["result", "msg"]);
  });

  test("leaves out people who were there too long ago", async () => {
    await report("ada");
    later(20 * 24 * 3600);
    const known = async (params: object) => peopleIn(await report("dev", { last_update_id: -1, ...params }));
    expect(await known({})).toEqual([id("dev")]);
    expect(await known({ history_limit_days: 21 })).toContain(id("ada"));
  });

  test("by a bot or with another status is refused", async () => {
    const post = (name: CastName, status: string) => harness.as(name).post("/users/me/presence", { status });
    expect(await refusal(post("echo", "active"))).toBe("This endpoint does not accept bot requests.");
    expect(await refusal(post("dev", "asleep"))).toBe("Invalid status: asleep");
  });

  test("runs no statement and writes no entry, except when somebody comes back", async () => {
    await report("dev");
    const { database } = harness.services;
    const query = vi.spyOn(database, "query");
    const transaction = vi.spyOn(database, "transaction");
    const { position } = harness.state;
    for (let count = 0; count < 50; count++) {
      later(60);
      await report("dev", { last_update_id: -1 });
    }
    const statements = [query.mock.calls.length, transaction.mock.calls.length];
    await exchange.run();
    // All reports together, of all organizations: one transaction.
    const afterwards = [query.mock.calls.length, transaction.mock.calls.length];
    query.mockRestore();
    transaction.mockRestore();
    expect(harness.state.position).toBe(position);
    // A node that is not sure to be alone looks at the head of the log for each call, as for any other.
    const looks = harness.services.bus.isAlone ? 0 : 50;
    expect([statements, afterwards]).toEqual([
      [looks, 0],
      [looks, 1],
    ]);
  });
});

describe("presence is not shown", () => {
  const set = (name: CastName, value: boolean) =>
    runStateChange(harness.state, async (tx) => {
      const target = tx.state.get(users).byId.get(harness.user(name).user.id);
      if (target) await updateUserSettings(tx, target, new Map([[userSettings.presenceEnabled, value]]));
    });

  test("of people who turned that off", async () => {
    expect(await newsFor("dev", () => report("elin"))).toContain(id("elin"));
    later(300);
    await set("elin", false);
    expect(await newsFor("dev", () => report("elin"))).not.toContain(id("elin"));
    await set("elin", true);
    expect(await newsFor("dev", () => report("elin"))).toContain(id("elin"));
  });

  test("in an organization that turned that off", async () => {
    await report("ada");
    await expectSuccess(harness.as("ada").patch("/realm", { presence_disabled: true }));
    const empty = { presences: {}, presence_last_update_id: -1 };
    expect(await report("ada", { last_update_id: -1 })).toMatchObject(empty);
    expect(await expectSuccess(harness.as("dev").get("/realm/presence"))).toMatchObject(empty);
    expect(await expectSuccess(harness.as("dev").post("/register"))).toMatchObject(empty);
    expect(await refusal(harness.as("dev").get("/users/ada@demo.test/presence"))).toMatch(
      /^No presence data/,
    );
    await expectSuccess(harness.as("ada").patch("/realm", { presence_disabled: false }));
    expect(peopleIn(await report("ada", { last_update_id: -1 }))).toContain(id("ada"));
  });

  test("of deactivated people, wherever it is asked for", async () => {
    const { user } = await runStateChange(harness.state, async (tx) => ({
      user: await createUser(tx, harness.services.keyring, {
        email: "fay@demo.test",
        fullName: "Fay Moss",
        role: 400,
        passwordHash: null,
      }),
    }));
    harness.state.get(presences).report(user.id, true, Date.now());
    expect(peopleIn(await report("dev", { last_update_id: -1 }))).toContain(user.id);
    await runStateChange(harness.state, (tx) => deactivateUser(tx, user));
    expect(peopleIn(await report("dev", { last_update_id: -1 }))).not.toContain(user.id);
    const all = await expectSuccess(harness.as("dev").get("/realm/presence"));
    expect(all.presences).not.toHaveProperty("fay@demo.test");
    expect(await refusal(harness.as("dev").get(`/users/${user.id}/presence`))).toBe("No such user");
  });

  test("to people of another organization, or of one", async () => {
    await report("ada");
    await report("zed");
    expect(peopleIn(await report("zed", { last_update_id: -1 }))).toEqual([id("zed")]);
    expect(peopleIn(await report("dev", { last_update_id: -1 }))).not.toContain(id("zed"));
    const asZed = (who: string | number) => harness.as("zed").get(`/users/${who}/presence`);
    expect(await refusal(asZed(id("ada")))).toBe("No such user");
    expect(await refusal(asZed("ada@demo.test"))).toBe("No such user");
  });

  test("to visitors without an account", async () => {
    await expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: true }));
    await report("ada");
    const body = await expectSuccess(harness.nobody().post("/register"));
    expect(body).toMatchObject({ presences: {}, presence_last_update_id: -1 });
    for (const path of ["/realm/presence", `/users/${id("ada")}/presence`]) {
      expect((await harness.nobody().get(path)).status).toBe(401);
    }
  });
});

describe("one person's presence", () => {
  const get = (who: string | number) => harness.as("dev").get(`/users/${who}/presence`);

  test("is found by id and by email, and is offline after 200 seconds", async () => {
    await report("ada");
    const timestamp = seconds();
    const active = { status: "active", timestamp };
    for (const who of [id("ada"), "ada@demo.test"]) {
      const { presence } = await expectSuccess(get(who));
      expect(presence).toEqual({ website: active, aggregated: active });
    }
    later(202);
    const { presence } = await expectSuccess(get(id("ada")));
    expect(presence).toEqual({ website: active, aggregated: { status: "offline", timestamp } });
  });

  test("is an error for bots, strangers and people who never were there", async () => {
    expect(await refusal(get(id("echo")))).toBe("Presence is not supported for bot users.");
    expect(await refusal(get("nobody@demo.test"))).toBe("No such user");
    expect(await refusal(get(999_999))).toBe("No such user");
    expect(await refusal(get("cleo@demo.test"))).toBe("No presence data for cleo@demo.test");
  });
});

describe("the event that somebody is there again", () => {
  test("has the form that the queue asked for", async () => {
    const queue = (options: object) => listen(harness.as("dev"), { event_types: ["presence"], ...options });
    const ears = [
      await queue({ client_capabilities: modern }),
      await queue({ slim_presence: true }),
      await queue({}),
    ];
    await report("gus");
    const at = seconds();
    const person = { active_timestamp: at, idle_timestamp: at };
    const website = { client: "website", status: "active", timestamp: at, pushable: false };
    const legacy = { type: "presence", user_id: id("gus"), presence: { website } };
    const server_timestamp = expect.any(Number);
    expect(await Promise.all(ears.map((ear) => ear.heard()))).toEqual([
      [{ type: "presence", presences: { [id("gus")]: person } }],
      [{ ...legacy, server_timestamp }],
      [{ ...legacy, server_timestamp, email: "gus@demo.test" }],
    ]);
  });

  test("comes once, and again only after 200 seconds without a report", async () => {
    const ear = await listen(harness.as("dev"), { event_types: ["presence"] });
    const statuses = [];
    for (const after of [0, 60, 60, 199, 200, 60]) {
      later(after);
      await report("gus", { status: "idle" });
      statuses.push((await ear.heard()).length);
    }
    expect(statuses).toEqual([1, 0, 0, 0, 1, 0]);
  });

  test("does not come for people who turned presence off, and not in large organizations", async () => {
    const ear = await listen(harness.as("dev"), { event_types: ["presence"] });
    const all = harness.state.get(users);
    const [gus] = [harness.user("gus").user];
    vi.spyOn(all, "all").mockImplementation(function* () {
      for (let count = 0; count <= MAX_ANNOUNCED_PEOPLE; count++) yield gus;
    });
    all.version++;
    await report("gus");
    expect(await ear.heard()).toEqual([]);
    vi.restoreAllMocks();
    all.version++;
    later(201);
    await report("gus");
    expect(await ear.heard()).toHaveLength(1);
  });
});

describe("the first state", () => {
  test("has presence by id for modern clients and by email for others", async () => {
    await report("ada");
    const register = (params: object) =>
      expectSuccess(harness.as("dev").post("/register", { fetch_event_types: ["presence"], ...params }));
    const now = { active_timestamp: seconds(), idle_timestamp: seconds() };
    for (const form of [{ slim_presence: true }, { client_capabilities: modern }]) {
      expect((await register(form)).presences[id("ada")]).toEqual(now);
    }
    expect((await register({})).presences["ada@demo.test"].aggregated.status).toBe("active");
    later(3 * 24 * 3600);
    expect((await register({ presence_history_limit_days: 2 })).presences).toEqual({});
    expect((await register({})).presences).toHaveProperty("ada@demo.test");
  });
});
