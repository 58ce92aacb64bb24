import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MAX_VIEWS } from "../../../api/limits.ts";
import { builtInViews } from "../../../api/personal/navigation-views.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
});
afterAll(() => harness.close());
beforeEach(() => harness.services.database.query(sql`delete from navigation_views`));

const list = async (name: CastName = "dev") =>
  (await expectSuccess(harness.as(name).get("/navigation_views"))).navigation_views;
const post = (params: Record<string, unknown>, name: CastName = "dev") =>
  harness.as(name).post("/navigation_views", { is_pinned: true, ...params });
const add = (fragment: string, name?: string) => expectSuccess(post({ fragment, name }));
const change = (fragment: string, params: Record<string, unknown>, name: CastName = "dev") =>
  harness.as(name).patch(`/navigation_views/${fragment}`, params);
const remove = (fragment: string, name: CastName = "dev") =>
  harness.as(name).delete(`/navigation_views/${fragment}`);

describe("a navigation view", () => {
  test("is listed for its owner alone, in the order of adding, also in the first state", async () => {
    await add(" narrow/channel/4-design/topic/density ", " Density ");
    await add("narrow/is/starred");
    await expectSuccess(change("narrow/channel/4-design/topic/density", { is_pinned: false }));
    expect(await list()).toEqual([
      { fragment: "narrow/channel/4-design/topic/density", is_pinned: false, name: "Density" },
      { fragment: "narrow/is/starred", is_pinned: true },
    ]);
    const { navigation_views } = await expectSuccess(harness.as("dev").post("/register", {}));
    expect(navigation_views).toEqual(await list());
    for (const name of ["ada", "gus", "echo", "zed"] as const) expect(await list(name)).toEqual([]);
  });

  test.each(["gus", "echo"] as const)("can be added by %s too", async (name) => {
    await expectSuccess(post({ fragment: "narrow/is/alerted", name: "Alerts" }, name));
    await expectSuccess(change("narrow/is/alerted", { name: "Words" }, name));
    expect(await list(name)).toMatchObject([{ name: "Words" }]);
    await expectSuccess(remove("narrow/is/alerted", name));
    expect(await list(name)).toEqual([]);
  });

  test.each(builtInViews)("%s is built in, so it has no name", async (fragment) => {
    expect(await refusal(post({ fragment, name: "Mine" }))).toBe("Built-in views can't have a name.");
    await add(fragment);
    expect(await refusal(change(fragment, { name: "Mine" }))).toBe("Built-in views can't have a name.");
    await expectSuccess(change(fragment, { is_pinned: false }));
    expect(await list()).toEqual([{ fragment, is_pinned: false }]);
    await expectSuccess(remove(fragment));
    expect(await list()).toEqual([]);
  });

  test("that is not built in has a name of at most 60 characters", async () => {
    const fragment = "narrow/is/alerted";
    expect(await refusal(post({ fragment }))).toBe("A view that is not built in must have a name.");
    expect(await refusal(post({ fragment, name: " " }))).toBe("name can't be blank");
    expect(await refusal(post({ fragment, name: "x".repeat(61) }))).toBe(
      "name is too long (limit: 60 characters)",
    );
    expect(await refusal(post({ fragment: " ", name: "Blank" }))).toBe("fragment can't be blank");
    expect(await list()).toEqual([]);
    await add(fragment, "🌱".repeat(60));
    expect(await refusal(change(fragment, { name: "x".repeat(61), is_pinned: false }))).toMatch(/too long/);
    expect(await refusal(change(fragment, { name: "", is_pinned: false }))).toBe("name can't be blank");
    expect(await list()).toMatchObject([{ is_pinned: true, name: "🌱".repeat(60) }]);
  });

  test("has a fragment of at most 2000 characters, whatever their size", async () => {
    const letters = Array.from({ length: 2000 }, (_, n) => String.fromCodePoint(0x20000 + n)).join("");
    await add(letters, "Many letters");
    expect(await list()).toMatchObject([{ fragment: letters }]);
    expect(await refusal(post({ fragment: `${letters}x`, name: "More" }))).toBe(
      "fragment is too long (limit: 2000 characters)",
    );
  });

  test("has a fragment and a name that no other view of its owner has", async () => {
    await add("narrow/search/soup", "Soup");
    await add("narrow/search/bread", "Bread");
    const taken = "Navigation view already exists.";
    expect(await refusal(post({ fragment: "narrow/search/soup", name: "Other" }))).toBe(taken);
    expect(await refusal(post({ fragment: "narrow/search/stew", name: " Soup " }))).toBe(taken);
    expect(await refusal(change("narrow/search/bread", { name: "Soup", is_pinned: false }))).toBe(taken);
    await expectSuccess(change("narrow/search/soup", { name: "Soup" }));
    expect(await list()).toMatchObject([{ name: "Soup" }, { name: "Bread", is_pinned: true }]);
    await expectSuccess(post({ fragment: "narrow/search/soup", name: "Soup" }, "gus"));
    await expectSuccess(remove("narrow/search/soup"));
    await add("narrow/search/soup", "Soup");
  });

  test("is named in a path with its slashes, or with slashes that are written as %2F", async () => {
    const fragment = "narrow/channel/4-caf.C3.A9/topic/a?b #1/with/17";
    await add(fragment, "Topic");
    const plain = fragment.split("/").map(encodeURIComponent).join("/");
    await expectSuccess(change(plain, { name: "Plain" }));
    expect(await list()).toEqual([{ fragment, is_pinned: true, name: "Plain" }]);
    await expectSuccess(change(encodeURIComponent(fragment), { name: "Encoded" }));
    expect(await list()).toEqual([{ fragment, is_pinned: true, name: "Encoded" }]);
    await expectSuccess(remove(plain));
    expect(await list()).toEqual([]);
  });

  test("keeps what a change does not give (spec E7)", async () => {
    await add("narrow/search/soup", "Soup");
    await expectSuccess(change("narrow/search/soup", {}));
    await expectSuccess(change("narrow/search/soup", { is_pinned: false }));
    expect(await list()).toEqual([{ fragment: "narrow/search/soup", is_pinned: false, name: "Soup" }]);
    await expectSuccess(change("narrow/search/soup", { name: "Stew" }));
    expect(await list()).toEqual([{ fragment: "narrow/search/soup", is_pinned: false, name: "Stew" }]);
  });
});

describe("a view that its caller does not have", () => {
  beforeEach(async () => {
    await expectSuccess(post({ fragment: "narrow/search/soup", name: "Soup" }, "ada"));
    await expectSuccess(post({ fragment: "narrow/search/bread", name: "Bread" }, "zed"));
  });

  // Spec E7: NOT_FOUND. Spec E18: BAD_REQUEST.
  test.each(["narrow/search/soup", "narrow/search/bread", "narrow/search/nothing", "inbox"])(
    "can't be changed, which is NOT_FOUND, or removed, which is BAD_REQUEST: %s",
    async (fragment) => {
      const changed = await change(fragment, { is_pinned: false });
      expect([changed.status, changed.body]).toEqual([
        404,
        { result: "error", code: "NOT_FOUND", msg: "Navigation view does not exist." },
      ]);
      const removed = await remove(fragment);
      expect([removed.status, removed.body]).toEqual([
        404,
        { result: "error", code: "BAD_REQUEST", msg: "Navigation view does not exist." },
      ]);
      expect([await list("ada"), await list("zed")]).toMatchObject([
        [{ is_pinned: true }],
        [{ is_pinned: true }],
      ]);
    },
  );
});

describe("the number of views", () => {
  test("of a person is limited, also for calls at the same time", async () => {
    await harness.services.database.query(sql`
      insert into navigation_views (organization_id, user_id, fragment, is_pinned, name)
      select ${harness.state.organizationId}, ${harness.user("dev").user.id}, 'one/' || n, true, 'one ' || n
      from generate_series(1, ${MAX_VIEWS - 1}) n`);
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((name) => post({ fragment: `narrow/search/${name}`, name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(await refusal(post({ fragment: "inbox" }))).toBe(
      "One person can have at most 500 navigation views.",
    );
    expect(await list()).toHaveLength(MAX_VIEWS);
  });

  test("of one fragment or name is one, also for calls at the same time", async () => {
    const same = await Promise.all(
      ["a", "b", "c", "d"].map((name) => post({ fragment: "narrow/search/same", name })),
    );
    expect(same.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    const named = await Promise.all(
      ["e", "f", "g"].map((each) => post({ fragment: `narrow/search/${each}`, name: "Same" })),
    );
    expect(named.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test("that a member adds in an hour is limited", async () => {
    const limited = await createHarness({
      PARLEY_ENV: "production",
      PARLEY_SECRET: "a secret for the tests",
    });
    try {
      const views = (name: CastName, fragment: string) =>
        limited.as(name).post("/navigation_views", { fragment, is_pinned: true });
      await expectSuccess(views("dev", "inbox"));
      await limited.services.database.query(sql`update quota_usage set used = 100 where quota = 'views'`);
      const { status, body } = await views("dev", "recent");
      expect([status, body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
      await expectSuccess(views("gus", "recent"));
    } finally {
      await limited.close();
    }
  });
});
