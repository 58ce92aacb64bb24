import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { Channel } from "../channel.ts";

let harness: Harness;
let count = 0;
let fresh = "";
let library: Channel;
let vault: Channel;
let general: Channel;
beforeAll(async () => {
  harness = await createHarness();
  library = await harness.channel("library", ["ada"]);
  vault = await harness.channel("vault", ["ada", "ben"], { isPrivate: true });
  general = await harness.channel("general", ["ada"], { isDefault: true });
});
afterAll(() => harness.close());
beforeEach(() => {
  fresh = `group ${++count}`;
});

const refusal = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const bad = [400, "BAD_REQUEST"];

async function snapshot(name: CastName = "dev") {
  const fetch_event_types = ["default_streams", "default_stream_groups"];
  const { body } = await harness.as(name).post("/register", { fetch_event_types });
  return {
    channels: body.realm_default_streams as number[],
    groups: body.realm_default_stream_groups as { id: number; name: string; streams: number[] }[],
  };
}

const make = (params: Record<string, unknown> = {}) =>
  harness.as("ben").post("/default_stream_groups/create", {
    group_name: fresh,
    description: "",
    stream_names: [],
    ...params,
  });

async function made(params: Record<string, unknown> = {}): Promise<string> {
  expect((await make(params)).status).toBe(200);
  const { groups } = await snapshot();
  return `/default_stream_groups/${groups.find(({ name }) => name === fresh)?.id}`;
}

describe("default channels", () => {
  test("are the channels that new people are subscribed to when they join", async () => {
    await harness.as("ben").post("/default_streams", { stream_id: library.id });
    expect((await snapshot()).channels).toEqual([library.id, general.id]);
    const join = async (email: string) => {
      const person = { email, full_name: "Pat Moe", password: "rye and spelt" };
      const { body } = await harness.as("ada").post("/users", person);
      const path = `/users/${body.user_id}/subscriptions/${library.id}`;
      return (await harness.as("ada").get(path)).body.is_subscribed;
    };
    expect(await join("pat@demo.test")).toBe(true);
    await harness.as("ben").delete("/default_streams", { stream_id: library.id });
    expect((await snapshot()).channels).toEqual([general.id]);
    expect(await join("ron@demo.test")).toBe(false);
  });

  test("can't be private, archived or unknown channels", async () => {
    const add = (stream_id: number) => harness.as("ben").post("/default_streams", { stream_id });
    const { id: old } = await harness.channel("old", ["ada"]);
    await harness.as("ada").delete(`/streams/${old}`);
    for (const each of [vault.id, old, 999_999]) expect(refusal(await add(each))).toEqual(bad);
    expect((await snapshot()).channels).toEqual([general.id]);
  });

  test("are chosen by administrators and hidden from guests", async () => {
    const answer = await harness.as("cleo").post("/default_streams", { stream_id: library.id });
    expect(refusal(answer)).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    expect(await snapshot("gus")).toEqual({ channels: [], groups: [] });
  });
});

describe("a group of default channels", () => {
  test("has a name, a description and channels", async () => {
    const path = await made({ group_name: ` ${fresh} `, description: "one\ntwo", stream_names: ["LIBRARY"] });
    const { groups } = await snapshot();
    expect(groups.at(-1)).toMatchObject({ name: fresh, description: "one two", streams: [library.id] });
    await harness.as("ben").patch(path, { new_group_name: fresh.toUpperCase() });
    expect((await snapshot()).groups.at(-1)?.name).toBe(fresh.toUpperCase());
  });

  test.each([
    ["no name", { group_name: " " }],
    ["a name that is too long", { group_name: "x".repeat(61) }],
    ["an unprintable name", { group_name: "tab\there" }],
    ["a description that is too long", { description: "x".repeat(1025) }],
    ["a channel that there is not", { stream_names: ["library", "no such channel"] }],
    ["a private channel", { stream_names: ["vault"] }],
    ["a channel that everyone is in anyway", { stream_names: ["general"] }],
  ])("can't have %s", async (_, params) => {
    const before = await snapshot();
    expect(refusal(await make(params))).toEqual(bad);
    expect(await snapshot()).toEqual(before);
  });

  test("has a unique name, ignoring case", async () => {
    await made();
    const taken = fresh;
    expect(refusal(await make({ group_name: taken.toUpperCase() }))).toEqual(bad);
    fresh = `${taken} b`;
    const path = await made();
    expect(refusal(await harness.as("ben").patch(path, { new_group_name: taken }))).toEqual(bad);
  });

  test("takes each channel once, and lets only its own channels be removed", async () => {
    await harness.channel("bakery", ["ada"]);
    const path = `${await made({ stream_names: ["library"] })}/streams`;
    const change = (op: string, stream_names: string[]) =>
      harness.as("ben").patch(path, { op, stream_names });
    expect(refusal(await change("add", ["bakery", "library"]))).toEqual(bad);
    expect(refusal(await change("remove", ["library", "bakery"]))).toEqual(bad);
    expect(refusal(await change("add", ["vault"]))).toEqual(bad);
    expect(refusal(await change("replace", ["bakery"]))).toEqual(bad);
    expect((await snapshot()).groups.at(-1)?.streams).toEqual([library.id]);
    expect((await change("add", ["bakery"])).status).toBe(200);
    expect((await change("remove", ["library"])).status).toBe(200);
    expect((await snapshot()).groups.at(-1)?.streams).toHaveLength(1);
  });

  test("can't be changed by an empty request, or when it doesn't exist", async () => {
    const path = await made();
    expect(refusal(await harness.as("ben").patch(path, {}))).toEqual(bad);
    const none = "/default_stream_groups/999999";
    expect(refusal(await harness.as("ben").patch(none, { new_description: "x" }))).toEqual(bad);
    expect(
      refusal(await harness.as("ben").patch(`${none}/streams`, { op: "add", stream_names: [] })),
    ).toEqual(bad);
    expect(refusal(await harness.as("ben").delete(none))).toEqual(bad);
    expect((await harness.as("ben").delete(path)).status).toBe(200);
    expect(refusal(await harness.as("ben").delete(path))).toEqual(bad);
  });
});
