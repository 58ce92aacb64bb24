import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MAX_SNIPPETS } from "../../../api/limits.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
});
afterAll(() => harness.close());
beforeEach(() => harness.services.database.query(sql`delete from saved_snippets`));

const list = async (name: CastName = "dev") =>
  (await expectSuccess(harness.as(name).get("/saved_snippets"))).saved_snippets;
const create = (title: string, content: string, name: CastName = "dev") =>
  harness.as(name).post("/saved_snippets", { title, content });
const save = async (title = "Welcome", content = "**Hello**", name: CastName = "dev"): Promise<number> =>
  (await expectSuccess(create(title, content, name))).saved_snippet_id;
const edit = (id: number, params: Record<string, unknown>, name: CastName = "dev") =>
  harness.as(name).patch(`/saved_snippets/${id}`, params);

describe("a saved snippet", () => {
  test("is kept without the spaces around its title and its text, and listed for its owner alone", async () => {
    const id = await save("  Welcome ", " **Hello**\nall\n");
    expect(await list()).toEqual([
      { id, title: "Welcome", content: "**Hello**\nall", date_created: expect.any(Number) },
    ]);
    const [{ date_created }] = await list();
    expect(Math.abs(date_created - Date.now() / 1000)).toBeLessThan(600);
    for (const name of ["ada", "gus", "echo", "zed"] as const) expect(await list(name)).toEqual([]);
  });

  test.each(["gus", "echo"] as const)("can be kept by %s too", async (name) => {
    const id = await save("Hello", "there", name);
    await expectSuccess(edit(id, { title: "Hi" }, name));
    expect(await list(name)).toMatchObject([{ id, title: "Hi", content: "there" }]);
  });

  test("is listed in the order of saving, also in the first state", async () => {
    const ids = [await save("b"), await save("a"), await save("a")];
    await edit(ids[0] as number, { title: "c" });
    expect((await list()).map(({ id }: { id: number }) => id)).toEqual(ids);
    const { saved_snippets } = await expectSuccess(harness.as("dev").post("/register", {}));
    expect(saved_snippets).toEqual(await list());
  });

  test("has a title of at most 60 characters and a text as long as a message, and neither is blank", async () => {
    expect(await refusal(create("x".repeat(61), "text"))).toBe("title is too long (limit: 60 characters)");
    expect(await refusal(create("title", "x".repeat(10_001)))).toBe(
      "content is too long (limit: 10000 characters)",
    );
    expect(await refusal(create("  ", "text"))).toBe("title can't be blank");
    expect(await refusal(create("title", "\n"))).toBe("content can't be blank");
    expect(await list()).toEqual([]);
    const id = await save(`${"🌱".repeat(60)} `, "🌱".repeat(10_000));
    expect(await refusal(edit(id, { title: "x".repeat(61) }))).toMatch(/^title is too long/);
    expect(await refusal(edit(id, { title: "new", content: " " }))).toBe("content can't be blank");
    expect(await list()).toMatchObject([{ title: "🌱".repeat(60) }]);
  });

  // Spec E9.
  test("is edited in part, and keeps what is not given", async () => {
    const id = await save("Welcome", "Hello");
    const [{ date_created }] = await list();
    await expectSuccess(edit(id, { title: " Hi " }));
    await expectSuccess(edit(id, { content: "there" }));
    await expectSuccess(edit(id, {}));
    expect(await list()).toEqual([{ id, title: "Hi", content: "there", date_created }]);
  });

  // Spec E9: an unknown ID is BAD_REQUEST.
  test("of another person, another organization or nobody can't be edited or deleted", async () => {
    const id = await save();
    const foreign = await save("Foreign", "text", "zed");
    const attempts = [
      () => edit(id, { title: "mine" }, "ada"),
      () => harness.as("ada").delete(`/saved_snippets/${id}`),
      () => edit(foreign, { title: "mine" }),
      () => harness.as("dev").delete(`/saved_snippets/${foreign}`),
      () => edit(99_999, {}),
      () => harness.as("dev").delete("/saved_snippets/99999"),
    ];
    for (const attempt of attempts) {
      const { status, body } = await attempt();
      expect([status, body.code, body.msg]).toEqual([404, "BAD_REQUEST", "Saved snippet does not exist."]);
    }
    expect([await list(), await list("zed")]).toMatchObject([[{ title: "Welcome" }], [{ title: "Foreign" }]]);
  });

  test("is gone once it is deleted", async () => {
    const [id, other] = [await save(), await save("Other")];
    await expectSuccess(harness.as("dev").delete(`/saved_snippets/${id}`));
    expect((await harness.as("dev").delete(`/saved_snippets/${id}`)).status).toBe(404);
    expect(await list()).toMatchObject([{ id: other }]);
  });
});

describe("the number of snippets", () => {
  test("of a person is limited, also for calls at the same time", async () => {
    const { user } = harness.user("dev");
    await harness.services.database.query(sql`
      insert into saved_snippets (organization_id, user_id, title, content)
      select ${harness.state.organizationId}, ${user.id}, 'one of many', 'text'
      from generate_series(1, ${MAX_SNIPPETS - 1})`);
    const answers = await Promise.all(["a", "b", "c", "d"].map((title) => create(title, "text")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(await refusal(create("one more", "text"))).toBe("One person can have at most 500 saved snippets.");
    expect(await list()).toHaveLength(MAX_SNIPPETS);
    await save("another's", "text", "gus");
  });

  test("that a member saves in an hour is limited", async () => {
    const limited = await createHarness({
      PARLEY_ENV: "production",
      PARLEY_SECRET: "a secret for the tests",
    });
    try {
      const { user } = limited.user("dev");
      await expectSuccess(limited.as("dev").post("/saved_snippets", { title: "first", content: "text" }));
      await limited.services.database.query(
        sql`update quota_usage set used = 100 where user_id = ${user.id} and quota = 'snippets'`,
      );
      const more = { title: "more", content: "text" };
      const { status, body } = await limited.as("dev").post("/saved_snippets", more);
      expect([status, body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
      await expectSuccess(limited.as("gus").post("/saved_snippets", more));
      expect((await limited.as("dev").get("/saved_snippets")).body.saved_snippets).toHaveLength(1);
    } finally {
      await limited.close();
    }
  });
});
