import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  channelFields,
  folderFields,
  neverSubscribedFields,
  subscriptionFields,
} from "../../api/channels/channel-fields.ts";
import { type CastName, createHarness, type Harness } from "../../test/harness/harness.ts";
import { problemsWith } from "../../test/harness/validate-reply.ts";
import { changeState } from "../people/viewer/change.ts";
import { runStateChange } from "../platform/log/change.ts";
import { createChannelFolder } from "./folders/actions.ts";
import { unsubscribe } from "./subscriptions/subscribe.ts";

type Row = Record<string, unknown> & { name: string; stream_id: number };

const sections = ["subscription", "stream", "default_streams", "default_stream_groups", "channel_folders"];

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "ben", "cleo", "dev", "elin", "echo"], { isDefault: true });
  await harness.channel("design", ["dev", "gus"]);
  await harness.channel("leads", ["ada", "dev"], { isPrivate: true });
  const left = await harness.channel("left", ["dev", "gus"]);
  const secret = await harness.channel("left secret", ["dev", "elin"], { isPrivate: true });
  await harness.channel("square", ["ada"], { isWebPublic: true });
  await runStateChange(harness.state, (tx) =>
    unsubscribe(tx, [left, secret], [harness.user("dev").user, harness.user("gus").user]),
  );
});
afterAll(() => harness.close());

const register = async (name: CastName | undefined, params: Record<string, unknown> = {}) => {
  const caller = name ? harness.as(name) : harness.nobody();
  const { status, body } = await caller.post("/register", {
    fetch_event_types: sections,
    event_types: ["stream"],
    client_capabilities: { notification_settings_null: true, archived_channels: true },
    ...params,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const names = (rows: Row[]) => rows.map(({ name }) => name).sort();
const find = (rows: Row[], name: string) => rows.find((row) => row.name === name);
const id = (name: CastName) => harness.user(name).id;

describe("the channels in a snapshot", () => {
  test("a member gets public channels, and private channels while subscribed", async () => {
    const body = await register("dev");
    expect(names(body.streams)).toEqual(["design", "general", "leads", "left", "square"]);
    expect(names(body.subscriptions)).toEqual(["design", "general", "leads"]);
    expect(names(body.unsubscribed)).toEqual(["left"]);
    expect(names(body.never_subscribed)).toEqual(["square"]);
  });

  test("an administrator gets all of them", async () => {
    const body = await register("ben");
    expect(names(body.streams)).toEqual(["design", "general", "leads", "left", "left secret", "square"]);
    expect(names(body.never_subscribed)).toContain("leads");
  });

  test("a guest gets the channels they are subscribed to, and web-public channels", async () => {
    const body = await register("gus", { include_subscribers: true });
    expect(names(body.streams)).toEqual(["design", "square"]);
    expect(names(body.subscriptions)).toEqual(["design"]);
    expect(body.unsubscribed).toEqual([]);
    expect(body.realm_default_streams).toEqual([]);
  });

  test("a spectator gets web-public channels, if they are enabled, and no subscriptions", async () => {
    await harness.as("ada").patch("/realm", { enable_spectator_access: true });
    const body = await register(undefined);
    await harness.as("ada").patch("/realm", { enable_spectator_access: false });
    expect(names(body.streams)).toEqual(["square"]);
    expect([body.subscriptions, body.unsubscribed]).toEqual([[], []]);
    expect(names(body.never_subscribed)).toEqual(["square"]);
    expect(body.never_subscribed[0]).not.toHaveProperty("subscribers");
  });

  test("a user of another organization gets none of them", async () => {
    const body = await register("zed");
    for (const key of ["streams", "subscriptions", "unsubscribed", "never_subscribed"])
      expect(body[key]).toEqual([]);
  });
});

describe("the records", () => {
  test("have exactly the fields that the contract names", async () => {
    const body = await register("dev", { include_subscribers: true });
    const shapes = {
      streams: channelFields,
      subscriptions: subscriptionFields,
      unsubscribed: subscriptionFields,
      never_subscribed: neverSubscribedFields,
    };
    for (const [key, fields] of Object.entries(shapes)) {
      expect(body[key], key).not.toEqual([]);
      expect(problemsWith(Type.Array(Type.Object(fields)), body[key]), key).toEqual([]);
    }
  });

  test("list subscribers in the form that the client asked for", async () => {
    const everyone = [id("ada"), id("ben"), id("cleo"), id("dev"), id("elin"), id("echo")];
    const plain = find((await register("dev")).subscriptions, "general");
    const full = find((await register("dev", { include_subscribers: true })).subscriptions, "general");
    const partial = find(
      (await register("dev", { include_subscribers: "partial" })).subscriptions,
      "general",
    );
    expect(plain).not.toHaveProperty("subscribers");
    expect(full?.subscribers).toEqual(everyone);
    expect(partial?.subscribers).toEqual(everyone);
    expect(plain?.subscriber_count).toBe(everyone.length);
  });

  test("give the account's own settings in place of null to clients that do not know null", async () => {
    const row = find((await register("dev", { client_capabilities: {} })).subscriptions, "general");
    expect(row).toMatchObject({ desktop_notifications: false, wildcard_mentions_notify: true });
    await harness.as("dev").patch("/settings", { enable_stream_desktop_notifications: true });
    const changed = find((await register("dev", { client_capabilities: {} })).subscriptions, "general");
    expect(changed).toMatchObject({ desktop_notifications: true });
    expect(find((await register("dev")).subscriptions, "general")).toMatchObject({
      desktop_notifications: null,
    });
  });

  test("name the first message once there is one, and do not change it with later messages", async () => {
    expect(find((await register("elin")).streams, "design")?.first_message_id).toBeNull();
    const send = () =>
      harness.as("dev").post("/messages", { type: "channel", to: "design", topic: "x", content: "hello" });
    const first = (await send()).body.id;
    await send();
    expect(find((await register("elin")).streams, "design")).toMatchObject({
      first_message_id: first,
      is_recently_active: true,
      stream_weekly_traffic: null,
    });
  });
});

test("default channels are listed by id, and there are no groups of them", async () => {
  const body = await register("dev");
  expect(body.realm_default_streams).toEqual([find(body.streams, "general")?.stream_id]);
  expect(body.realm_default_stream_groups).toEqual([]);
});

test("folders come in their order", async () => {
  const { viewer } = harness.user("ada");
  await changeState(viewer, (tx) =>
    createChannelFolder(tx, { name: "Product", description: "What we *make*" }),
  );
  await changeState(viewer, (tx) => createChannelFolder(tx, { name: "Archive" }));
  const { channel_folders: folders } = await register("gus");
  expect(problemsWith(Type.Array(Type.Object(folderFields)), folders)).toEqual([]);
  expect(folders).toMatchObject([
    {
      name: "Product",
      rendered_description: "<p>What we <em>make</em></p>",
      order: 0,
      creator_id: id("ada"),
    },
    { name: "Archive", order: 1 },
  ]);
});

test("two folders in use have different names", async () => {
  const { viewer } = harness.user("ada");
  const make = (name: string) => changeState(viewer, (tx) => createChannelFolder(tx, { name }));
  await make("Twice");
  await expect(make(" TWICE ")).rejects.toThrow("already in use");
  await expect(make(" ")).rejects.toThrow("must have a name");
});

test("a section that was not asked for is left out", async () => {
  const body = await register("dev", { fetch_event_types: ["stream"] });
  expect(body).toHaveProperty("streams");
  for (const key of ["subscriptions", "realm_default_streams", "channel_folders"])
    expect(body).not.toHaveProperty(key);
});
