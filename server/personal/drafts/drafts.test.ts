import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MAX_DRAFTS } from "../../../api/limits.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";

let harness: Harness;
let kitchen: number;
let vault: number;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  kitchen = (await harness.channel("kitchen", ["ada", "dev", "gus"])).id;
  vault = (await harness.channel("vault", ["ada"], { isPrivate: true })).id;
});
afterAll(() => harness.close());
beforeEach(() => harness.services.database.query(sql`delete from drafts`));

type Fields = Record<string, unknown>;

const unaddressed = { type: "", to: [], topic: "", content: "Soup" };
const list = async (name: CastName = "dev") => (await expectSuccess(harness.as(name).get("/drafts"))).drafts;
const post = (drafts: Fields[], name: CastName = "dev") => harness.as(name).post("/drafts", { drafts });
const create = async (more: Fields = {}, name: CastName = "dev"): Promise<number> =>
  (await expectSuccess(post([{ ...unaddressed, ...more }], name))).ids[0];
const edit = (id: number, draft: Fields, name: CastName = "dev") =>
  harness.as(name).patch(`/drafts/${id}`, { draft });
const remove = (id: number, name: CastName = "dev") => harness.as(name).delete(`/drafts/${id}`);
const idOf = (name: CastName) => harness.user(name).id;
const synchronize = (isOn: boolean, name: CastName = "dev") =>
  expectSuccess(harness.as(name).patch("/settings", { enable_drafts_synchronization: isOn }));

describe("drafts", () => {
  test("are created together, in the given order, and listed by their last edit", async () => {
    const drafts = [
      { type: "channel", to: [kitchen], topic: " lunch ", content: "Soup tod\n", timestamp: 1_700_000_000.9 },
      { type: "direct", to: [idOf("ada")], topic: "ignored", content: "Hello", timestamp: 1_700_000_002 },
      { ...unaddressed, to: [5], topic: "ignored", timestamp: 1_700_000_001 },
    ];
    const { ids } = await expectSuccess(post(drafts));
    expect(ids).toEqual([...ids].sort((a: number, b: number) => a - b));
    const [channel, direct, nobody] = [
      {
        id: ids[0],
        type: "stream",
        to: [kitchen],
        topic: "lunch",
        content: "Soup tod",
        timestamp: 1_700_000_000,
      },
      {
        id: ids[1],
        type: "private",
        to: [idOf("ada")],
        topic: "",
        content: "Hello",
        timestamp: 1_700_000_002,
      },
      { id: ids[2], type: "", to: [], topic: "", content: "Soup", timestamp: 1_700_000_001 },
    ];
    const answer = await expectSuccess(harness.as("dev").get("/drafts"));
    expect([answer.count, answer.drafts]).toEqual([3, [direct, nobody, channel]]);
    const { drafts: registered } = await expectSuccess(harness.as("dev").post("/register", {}));
    expect(registered).toEqual([direct, nobody, channel]);
    for (const name of ["ada", "gus", "echo", "zed"] as const) expect(await list(name)).toEqual([]);
  });

  test("are of now without a time", async () => {
    await create();
    const [{ timestamp }] = await list();
    expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(600);
  });

  test("have a time between 1970 and 5138", async () => {
    for (const timestamp of [-1, 1e11 + 1, "now"]) {
      expect((await post([{ ...unaddressed, timestamp }])).body.code).toBe("BAD_REQUEST");
    }
    expect(await list()).toEqual([]);
    await create({ timestamp: 0 });
    await create({ timestamp: 1e11 });
    expect((await list()).map(({ timestamp }: { timestamp: number }) => timestamp)).toEqual([1e11, 0]);
  });

  test("of a channel name exactly one that their writer may know of", async () => {
    const channel = (to: number[], name: CastName = "dev") =>
      post([{ type: "stream", to, topic: "lunch", content: "Soup" }], name);
    expect(await refusal(channel([]))).toBe("Expected exactly one channel");
    expect(await refusal(channel([kitchen, kitchen]))).toBe("Expected exactly one channel");
    for (const id of [vault, 99_999]) expect(await refusal(channel([id]))).toBe("Invalid channel ID");
    expect(await refusal(channel([kitchen], "zed"))).toBe("Invalid channel ID");
    expect(await list()).toEqual([]);
    await expectSuccess(channel([vault], "ada"));
    await expectSuccess(channel([kitchen], "gus"));
  });

  test("for people name each once, and the writer only alone", async () => {
    const [dev, ada, ben] = [idOf("dev"), idOf("ada"), idOf("ben")];
    await create({ type: "private", to: [ben, ada, dev, ben], timestamp: 3 });
    await create({ type: "private", to: [dev], timestamp: 2 });
    await create({ type: "private", to: [], timestamp: 1 });
    expect((await list()).map(({ type, to }: Fields) => [type, to])).toEqual([
      ["private", [ben, ada]],
      ["private", [dev]],
      ["", []],
    ]);
    const to = [ada, idOf("zed")];
    expect(await refusal(post([{ ...unaddressed, type: "direct", to }]))).toBe(`Invalid user ID ${to[1]}`);
    const crowd = Array.from({ length: 201 }, () => ada);
    expect(await refusal(post([{ ...unaddressed, type: "direct", to: crowd }]))).toMatch(/at most 200/);
  });

  test("have texts that a message could have: not empty, and truncated", async () => {
    expect(await refusal(post([{ ...unaddressed, content: " \n" }]))).toBe("Message must not be empty");
    const topic = "x".repeat(61);
    await create({ type: "stream", to: [kitchen], topic, content: "x".repeat(10_001) });
    const [draft] = await list();
    expect([draft.topic, draft.content]).toEqual([
      `${"x".repeat(57)}...`,
      `${"x".repeat(10_000 - 20)}\n[message truncated]`,
    ]);
    const broken = { type: "stream", to: [kitchen], topic: "a\tb", content: "Soup" };
    expect(await refusal(post([broken]))).toMatch(/Invalid character in topic/);
  });

  test("are created all or not at all", async () => {
    const foreign = { type: "stream", to: [vault], topic: "", content: "Soup" };
    expect(await refusal(post([unaddressed, unaddressed, foreign]))).toBe("Invalid channel ID");
    expect(await list()).toEqual([]);
    expect((await expectSuccess(post([]))).ids).toEqual([]);
  });

  test.each(["gus", "echo"] as const)("can be kept by %s too", async (name) => {
    const id = await create({}, name);
    await expectSuccess(edit(id, { ...unaddressed, content: "Stew" }, name));
    expect(await list(name)).toMatchObject([{ id, content: "Stew" }]);
    await expectSuccess(remove(id, name));
    expect(await list(name)).toEqual([]);
  });
});

describe("a draft", () => {
  test("is replaced as a whole by an edit", async () => {
    const id = await create({ type: "stream", to: [kitchen], topic: "lunch", timestamp: 5 });
    await expectSuccess(edit(id, { ...unaddressed, type: "direct", to: [idOf("ada")], timestamp: 7 }));
    expect(await list()).toEqual([
      { id, type: "private", to: [idOf("ada")], topic: "", content: "Soup", timestamp: 7 },
    ]);
    await expectSuccess(edit(id, { ...unaddressed, content: "Stew" }));
    expect(await list()).toEqual([
      { id, type: "", to: [], topic: "", content: "Stew", timestamp: expect.any(Number) },
    ]);
    expect((await list())[0].timestamp).toBeGreaterThan(1_600_000_000);
  });

  test("stays as it is after an edit that is refused", async () => {
    const id = await create();
    const before = await list();
    expect(await refusal(edit(id, { type: "stream", to: [vault], topic: "", content: "x" }))).toBe(
      "Invalid channel ID",
    );
    expect(await refusal(edit(id, { ...unaddressed, content: "" }))).toBe("Message must not be empty");
    expect(await list()).toEqual(before);
  });

  test("of another person, another organization or nobody can't be edited or deleted", async () => {
    const [id, foreign] = [await create(), await create({}, "zed")];
    const attempts = [
      () => edit(id, unaddressed, "ada"),
      () => remove(id, "ada"),
      () => edit(foreign, unaddressed),
      () => remove(foreign),
      () => edit(99_999, unaddressed),
      () => remove(99_999),
    ];
    for (const attempt of attempts) {
      const { status, body } = await attempt();
      expect([status, body.code, body.msg]).toEqual([404, "BAD_REQUEST", "Draft does not exist"]);
    }
    expect([await list(), await list("zed")]).toMatchObject([[{ id }], [{ id: foreign }]]);
  });

  test("is gone once it is deleted", async () => {
    const [id, other] = [await create(), await create()];
    await expectSuccess(remove(id));
    expect((await remove(id)).status).toBe(404);
    expect(await list()).toMatchObject([{ id: other }]);
  });

  test("for a channel that its writer can no longer see is still theirs", async () => {
    const { id: cellar } = await harness.channel("cellar", ["dev"], { isPrivate: true });
    const id = await create({ type: "stream", to: [cellar], topic: "lunch" });
    await expectSuccess(harness.as("dev").delete("/users/me/subscriptions", { subscriptions: ["cellar"] }));
    expect(await list()).toMatchObject([{ id, to: [cellar] }]);
    await expectSuccess(remove(id));
  });
});

describe("a user who turned off the synchronization of drafts", () => {
  afterEach(() => synchronize(true));

  test("is refused all calls, and has no drafts in the first state", async () => {
    const id = await create();
    await synchronize(false);
    const attempts = [
      harness.as("dev").get("/drafts"),
      post([unaddressed]),
      edit(id, unaddressed),
      remove(id),
    ];
    for (const attempt of attempts) {
      expect(await refusal(attempt)).toBe("User has disabled synchronizing drafts.");
    }
    expect((await expectSuccess(harness.as("dev").post("/register", {}))).drafts).toEqual([]);
    await synchronize(true);
    expect(await list()).toEqual([]);
  });

  test("has none on the server any more, while everybody else keeps theirs", async () => {
    await expectSuccess(post([unaddressed, unaddressed]));
    const others = await create({}, "gus");
    await expectSuccess(harness.as("dev").patch("/settings", { twenty_four_hour_time: true }));
    expect(await list()).toHaveLength(2);
    await synchronize(false);
    const rows = await harness.services.database.query(sql`select id from drafts`);
    expect(rows).toEqual([{ id: others }]);
  });

  test("keeps none that is created at the same time", async () => {
    const answers = await Promise.all([post([unaddressed]), synchronize(false), post([unaddressed])]);
    expect([answers[0].status, answers[2].status].every((status) => [200, 400].includes(status))).toBe(true);
    expect(await harness.services.database.query(sql`select id from drafts`)).toEqual([]);
  });
});

describe("the number of drafts", () => {
  test("of a person is limited, also for calls at the same time", async () => {
    await expectSuccess(post(Array.from({ length: MAX_DRAFTS - 3 }, () => unaddressed)));
    const answers = await Promise.all([1, 2, 3].map(() => post([unaddressed, unaddressed])));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await refusal(post([unaddressed, unaddressed]))).toBe("One person can have at most 1000 drafts.");
    await create();
    expect(await list()).toHaveLength(MAX_DRAFTS);
    const tooMany = Array.from({ length: MAX_DRAFTS + 1 }, () => unaddressed);
    expect((await post(tooMany, "gus")).body.code).toBe("BAD_REQUEST");
  });

  test("that a member creates in an hour is limited", async () => {
    const limited = await createHarness({
      PARLEY_ENV: "production",
      PARLEY_SECRET: "a secret for the tests",
    });
    try {
      const drafts = [unaddressed, unaddressed];
      const { ids } = await expectSuccess(limited.as("dev").post("/drafts", { drafts }));
      await limited.services.database.query(sql`update quota_usage set used = 999 where quota = 'drafts'`);
      const { status, body } = await limited.as("dev").post("/drafts", { drafts });
      expect([status, body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
      await expectSuccess(limited.as("dev").patch(`/drafts/${ids[0]}`, { draft: unaddressed }));
      await expectSuccess(limited.as("gus").post("/drafts", { drafts }));
    } finally {
      await limited.close();
    }
  });
});
