import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { userSettings } from "../../../api/people/user-settings.ts";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { subscribe } from "../../channels/subscriptions/subscribe.ts";
import { groups } from "../../groups/group.ts";
import { createUser } from "../../people/actions.ts";
import { updateUserSettings } from "../../people/settings/update-settings.ts";
import type { User } from "../../people/user.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { groupSizesOf } from "../../platform/log/log-writer.ts";

let harness: Harness;
let kitchen: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "dev"])).id;
  await harness.channel("leads", ["ada"], { isPrivate: true });
});
afterAll(() => harness?.close());

const person = (name: CastName) => ({ user_id: harness.user(name).id, email: harness.user(name).email });
const ear = (name: CastName, capabilities = { stream_typing_notifications: true, empty_topic_name: true }) =>
  listen(harness.as(name), { event_types: ["typing"], client_capabilities: capabilities });

async function set(
  name: CastName,
  setting: "sendPrivateTypingNotifications" | "sendStreamTypingNotifications" | "receivesTypingNotifications",
  value: boolean,
) {
  await runStateChange(harness.state, async (tx) => {
    await updateUserSettings(tx, harness.user(name).user, new Map([[userSettings[setting], value]]));
  });
}

test("typing a direct message is sent to all people of the conversation, the typist included, and to nobody else", async () => {
  const ears = await Promise.all((["ada", "dev", "ben"] as const).map((name) => ear(name)));
  await harness.as("dev").post("/typing", { op: "start", to: [harness.user("ada").id] });
  const heard = await Promise.all(ears.map((each) => each.heard()));
  const told = {
    type: "typing",
    op: "start",
    message_type: "direct",
    sender: person("dev"),
    recipients: [person("ada"), person("dev")],
  };
  expect(heard).toEqual([[told], [told], []]);
});

test("typing in a channel is sent to subscribers whose client has the capability", async () => {
  const ears = await Promise.all([
    ear("ada"),
    ear("ada", { stream_typing_notifications: true, empty_topic_name: false }),
    ear("ada", { stream_typing_notifications: false, empty_topic_name: true }),
    ear("ben"),
  ]);
  await harness
    .as("dev")
    .post("/typing", { type: "channel", op: "stop", stream_id: kitchen, topic: "(no topic)" });
  const heard = await Promise.all(ears.map((each) => each.heard()));
  const told = {
    type: "typing",
    op: "stop",
    message_type: "stream",
    sender: person("dev"),
    stream_id: kitchen,
  };
  expect(heard).toEqual([[{ ...told, topic: "" }], [{ ...told, topic: "general chat" }], [], []]);
});

describe("typing is refused", () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["to nobody", { op: "start", to: [] }, { msg: "Empty 'to' list" }],
    ["without saying to whom", { op: "start" }, { msg: "Empty 'to' list" }],
    ["to someone unknown", { op: "start", to: [999_999] }, { msg: "Invalid user ID 999999" }],
    ["without an op", { to: [1] }, { code: "REQUEST_VARIABLE_MISSING", var_name: "op" }],
    ["with another op", { op: "pause", to: [1] }, { code: "BAD_REQUEST" }],
    ["in no channel", { type: "stream", op: "start", topic: "x" }, { var_name: "stream_id" }],
    [
      "in an unknown channel",
      { type: "stream", op: "start", topic: "x", stream_id: 999 },
      { msg: "Invalid channel ID" },
    ],
  ])("%s", async (_, params, error) => {
    const { status, body } = await harness.as("dev").post("/typing", params);
    expect(status).toBe(400);
    expect(body).toMatchObject(error);
  });

  test("in a channel without a topic, and in a channel that the user can't see", async () => {
    const there = { type: "channel", op: "start", stream_id: kitchen };
    expect((await harness.as("dev").post("/typing", there)).body.var_name).toBe("topic");
    const leads = (
      await harness
        .as("ada")
        .get("/messages", { anchor: "newest", num_before: 0, num_after: 0, narrow: [["channel", "leads"]] })
    ).status;
    expect(leads).toBe(200);
    const hidden = { type: "channel", op: "start", stream_id: kitchen + 1, topic: "x" };
    expect((await harness.as("ada").post("/typing", hidden)).status).toBe(200);
    expect((await harness.as("dev").post("/typing", hidden)).body.msg).toBe("Invalid channel ID");
  });

  test("to someone of another organization", async () => {
    expect(
      (await harness.as("dev").post("/typing", { op: "start", to: [harness.user("zed").id] })).status,
    ).toBe(400);
  });

  test("for people who have turned off sending it", async () => {
    await set("dev", "sendPrivateTypingNotifications", false);
    await set("dev", "sendStreamTypingNotifications", false);
    const direct = await harness.as("dev").post("/typing", { op: "start", to: [harness.user("ada").id] });
    expect(direct.body.msg).toBe("User has disabled typing notifications for direct messages");
    const inChannel = await harness
      .as("dev")
      .post("/typing", { type: "channel", op: "start", stream_id: kitchen, topic: "x" });
    expect(inChannel.body.msg).toBe("User has disabled typing notifications for channel messages");
    await set("dev", "sendPrivateTypingNotifications", true);
    await set("dev", "sendStreamTypingNotifications", true);
    expect(
      (await harness.as("dev").post("/typing", { op: "start", to: [harness.user("ada").id] })).status,
    ).toBe(200);
  });
});

test("people who have turned off receiving it get no event", async () => {
  const here = await ear("ada");
  await set("ada", "receivesTypingNotifications", false);
  await harness.as("dev").post("/typing", { op: "start", to: [harness.user("ada").id] });
  expect(await here.heard()).toEqual([]);
  await set("ada", "receivesTypingNotifications", true);
  await harness.as("dev").post("/typing", { op: "start", to: [harness.user("ada").id] });
  expect(await here.heard()).toHaveLength(1);
});

test("typing and editing in a channel with more than 100 active subscribers are sent to nobody", async () => {
  const hall = await harness.channel("hall", ["ada", "dev"]);
  const people: User[] = [];
  const join = (count: number, from: number) =>
    runStateChange(harness.state, async (tx) => {
      const joined: User[] = [];
      for (let n = from; n < from + count; n++) {
        const someone = {
          email: `p${n}@demo.test`,
          fullName: `Person ${n}`,
          role: roles.member,
          passwordHash: null,
        };
        joined.push(await createUser(tx, harness.services.keyring, someone));
      }
      await subscribe(tx, [hall], joined);
      people.push(...joined);
    });
  const here = await listen(harness.as("ada"), {
    event_types: ["typing", "typing_edit_message"],
    client_capabilities: { stream_typing_notifications: true },
  });
  const { id } = (
    await harness.as("dev").post("/messages", { type: "channel", to: "hall", topic: "x", content: "Soup?" })
  ).body;
  const edit = () => harness.as("dev").post(`/messages/${id}/typing`, { op: "start" });
  const type = () =>
    harness.as("dev").post("/typing", { type: "channel", op: "start", stream_id: hall.id, topic: "x" });
  await join(98, 0);
  await type();
  await edit();
  expect(await here.heard()).toHaveLength(2);
  await join(1, 98);
  expect((await edit()).status).toBe(200);
  expect((await type()).status).toBe(200);
  expect(await here.heard()).toEqual([]);
  const path = `/users/${people[0]?.id}`;
  await expectSuccess(harness.as("ada").delete(path));
  await type();
  await edit();
  expect(await here.heard()).toHaveLength(2);
  await expectSuccess(harness.as("ada").post(`${path}/reactivate`));
  await type();
  await edit();
  expect(await here.heard()).toEqual([]);
});

describe("typing to people whom one may not write to is refused, and sends nothing:", () => {
  const groupNamed = (name: string) =>
    [...harness.state.get(groups).all()].find((group) => group.name === `role:${name}`)?.id;
  const permit = async (permission: string, group: string) => {
    const change = { [permission]: { new: groupNamed(group) } };
    await expectSuccess(harness.as("ada").patch("/realm", change));
  };
  const typeTo = (name: CastName) =>
    harness.as("dev").post("/typing", { op: "start", to: [harness.user(name).id] });

  test("where direct messages need a member of a group", async () => {
    const heard = await ear("elin");
    await expectSuccess(typeTo("elin"));
    expect(await heard.heard()).toHaveLength(1);
    await permit("direct_message_permission_group", "moderators");
    expect(await refusal(typeTo("elin"))).toContain("permission to send direct messages");
    expect(await heard.heard()).toEqual([]);
    await expectSuccess(typeTo("cleo"));
    await permit("direct_message_permission_group", "everyone");
  });

  test("where only a group may start conversations, until somebody has started it", async () => {
    await permit("direct_message_initiator_group", "moderators");
    expect(await refusal(typeTo("cleo"))).toContain("permission to send direct messages");
    const message = { type: "direct", to: [harness.user("dev").id], content: "Hello" };
    await expectSuccess(harness.as("cleo").post("/messages", message));
    await expectSuccess(typeTo("cleo"));
    await permit("direct_message_initiator_group", "everyone");
  });
});

test("what many type at the same moment shares commits, and each person's signs keep their order", async () => {
  const listener = await ear("ada");
  const sizes = groupSizesOf(harness.state.database);
  const commits = () => sizes.counts.reduce((sum, count) => sum + count);
  const before = commits();
  const names = ["ada", "dev"] as const;
  const signs = Array.from({ length: 20 }, (_, index) => ({ name: names[index % 2] as CastName, index }));
  await Promise.all(
    signs.map(({ name, index }) => {
      const op = index % 4 < 2 ? "start" : "stop";
      return harness.as(name).post("/typing", { type: "channel", op, stream_id: kitchen, topic: `${index}` });
    }),
  );
  expect(commits() - before).toBeLessThan(10);
  const heard = await listener.heard();
  for (const name of names) {
    const own = heard.filter(({ sender }) => sender.user_id === harness.user(name).id);
    expect(own.map(({ topic }) => Number(topic))).toEqual(
      signs.filter((sign) => sign.name === name).map(({ index }) => index),
    );
  }
});
