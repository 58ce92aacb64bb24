import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { OrganizationState } from "../../platform/log/organization-state.ts";
import { userStatuses } from "./user-statuses.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());
afterEach(async () => {
  for (const name of ["dev", "elin"] as const)
    await set(name, { status_text: "", emoji_name: "", away: false });
});

const id = (name: CastName) => harness.user(name).id;
const set = (name: CastName, params: Record<string, unknown>) =>
  harness.as(name).post("/users/me/status", params);
const setOf = (name: CastName, target: CastName, params: Record<string, unknown>) =>
  harness.as(name).post(`/users/${id(target)}/status`, params);
const statusOf = async (target: CastName, reader: CastName = "gus") =>
  (await expectSuccess(harness.as(reader).get(`/users/${id(target)}/status`))).status;
const ear = (name: CastName) => listen(harness.as(name), { event_types: ["user_status"] });

const car = { emoji_name: "car", emoji_code: "1f697", reaction_type: "unicode_emoji" };
const noEmoji = { emoji_name: "", emoji_code: "", reaction_type: "unicode_emoji" };

describe("setting one's status", () => {
  test("is seen by everybody, guests included, and by nobody elsewhere", async () => {
    const ears = await Promise.all((["dev", "gus", "echo", "zed"] as const).map(ear));
    await expectSuccess(set("dev", { status_text: "  On vacation ", emoji_name: "car" }));
    const event = { type: "user_status", user_id: id("dev"), status_text: "On vacation", ...car };
    expect(await Promise.all(ears.map((each) => each.heard()))).toEqual([[event], [event], [event], []]);
    expect(await statusOf("dev")).toEqual({ status_text: "On vacation", ...car });
    expect(await refusal(harness.as("zed").get(`/users/${id("dev")}/status`))).toBe("No such user");
    const { user_status } = await expectSuccess(harness.as("gus").post("/register"));
    expect(user_status).toEqual({ [id("dev")]: { status_text: "On vacation", ...car } });
    const elsewhere = await expectSuccess(harness.as("zed").post("/register"));
    expect(elsewhere.user_status).toEqual({});
  });

  test("changes only the parts that are given, and the event has no others", async () => {
    const listener = await ear("gus");
    await expectSuccess(set("dev", { status_text: "On vacation" }));
    await expectSuccess(set("dev", { emoji_name: "car" }));
    await expectSuccess(set("dev", { status_text: "" }));
    expect(await statusOf("dev")).toEqual(car);
    await expectSuccess(set("dev", { emoji_name: "" }));
    expect(await statusOf("dev")).toEqual({});
    const dev = { type: "user_status", user_id: id("dev") };
    expect(await listener.heard()).toEqual([
      { ...dev, status_text: "On vacation" },
      { ...dev, ...car },
      { ...dev, status_text: "" },
      { ...dev, ...noEmoji },
    ]);
  });

  test("names emoji as reactions do", async () => {
    await expectSuccess(set("dev", car));
    await expectSuccess(
      set("dev", { ...car, emoji_name: "zulip", emoji_code: "zulip", reaction_type: "zulip_extra_emoji" }),
    );
    expect((await statusOf("dev")).reaction_type).toBe("service_extra_emoji");
    expect(await refusal(set("dev", { emoji_name: "no such" }))).toBe("Emoji 'no such' does not exist");
    expect(
      await refusal(
        set("dev", { emoji_name: "no such", emoji_code: "1f697", reaction_type: "unicode_emoji" }),
      ),
    ).toBe("Emoji 'no such' does not exist");
    expect(await refusal(set("dev", { ...car, emoji_code: "1f4bb" }))).toBe(
      "The emoji's name and code do not match.",
    );
    expect(await refusal(set("dev", { ...car, reaction_type: "realm_emoji" }))).toBe(
      "Emoji 'car' does not exist",
    );
    expect(await refusal(set("dev", { emoji_code: "1f697" }))).toBe(
      "Give 'emoji_name' with 'emoji_code' or 'reaction_type'.",
    );
    expect((await statusOf("dev")).emoji_name).toBe("zulip");
  });

  test("is refused for bots, without any part, and for texts that are too long", async () => {
    expect(await refusal(set("echo", { status_text: "Beep" }))).toBe(
      "This endpoint does not accept bot requests.",
    );
    expect(await refusal(set("dev", {}))).toBe("Client did not pass any new values.");
    expect(await refusal(set("dev", { status_text: "x".repeat(61) }))).toMatch(/status_text is too long/);
    await expectSuccess(set("dev", { status_text: "ü".repeat(60) }));
  });

  test("is kept by a node that starts", async () => {
    await expectSuccess(set("dev", { status_text: "On vacation", emoji_name: "car" }));
    await expectSuccess(set("elin", { status_text: "Here" }));
    await expectSuccess(set("elin", { status_text: "" }));
    const { database, organizationId, parts } = harness.state;
    const there = (await OrganizationState.load(database, organizationId, parts)).get(userStatuses);
    const dev = { text: "On vacation", emojiName: "car", emojiCode: "1f697", reactionType: "unicode_emoji" };
    expect([...there]).toEqual([[id("dev"), dev]]);
  });
});

describe("away", () => {
  test("is another name for the setting of presence, and changes with it", async () => {
    const listener = await ear("gus");
    await expectSuccess(set("dev", { away: true }));
    expect(await statusOf("dev")).toEqual({ away: true });
    const { user_settings } = await expectSuccess(harness.as("dev").post("/register"));
    expect(user_settings.presence_enabled).toBe(false);
    await expectSuccess(harness.as("dev").patch("/settings", { presence_enabled: true }));
    expect(await statusOf("dev")).toEqual({});
    await expectSuccess(set("dev", { away: false, status_text: "Back" }));
    const dev = { type: "user_status", user_id: id("dev") };
    expect(await listener.heard()).toEqual([
      { ...dev, away: true },
      { ...dev, away: false },
      { ...dev, status_text: "Back" },
    ]);
  });
});

describe("another person's status", () => {
  test("is set by administrators alone", async () => {
    await expectSuccess(setOf("ben", "dev", { status_text: "On leave", emoji_name: "car" }));
    expect(await statusOf("dev")).toEqual({ status_text: "On leave", ...car });
    for (const name of ["cleo", "elin", "gus", "echo"] as const) {
      expect((await setOf(name, "dev", { status_text: "Asleep" })).body.result).toBe("error");
    }
    expect((await statusOf("dev")).status_text).toBe("On leave");
    await expectSuccess(setOf("ada", "dev", { status_text: "", emoji_name: "" }));
    expect(await statusOf("dev")).toEqual({});
  });

  test("is that of a person: not of a bot, nor of somebody in another organization", async () => {
    for (const target of ["echo", "zed"] as const) {
      expect(await refusal(setOf("ada", target, { status_text: "x" }))).toBe("No such user");
      expect(await refusal(harness.as("ada").get(`/users/${id(target)}/status`))).toBe("No such user");
    }
    expect(await refusal(setOf("ada", "dev", {}))).toBe("Client did not pass any new values.");
  });
});

test("a person sets a status at most a hundred times an hour", async () => {
  const production = await createHarness({
    PARLEY_ENV: "production",
    PARLEY_SECRET: "a secret for the tests",
  });
  try {
    const change = (text: string) => production.as("dev").post("/users/me/status", { status_text: text });
    for (let count = 0; count < 100; count++) await expectSuccess(change(`number ${count}`));
    const refused = await change("one more");
    expect([refused.status, refused.body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
  } finally {
    await production.close();
  }
});
