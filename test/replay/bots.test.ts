import { afterAll, beforeAll, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let generalId: number;
beforeAll(async () => {
  harness = await createHarness();
  generalId = (await harness.channel("general", ["ada", "dev"])).id;
});
afterAll(() => harness.close());

let made = 0;
async function make(owner: CastName, given: object = {}): Promise<number> {
  const bot = { full_name: `Bot ${++made}`, short_name: `bot${made}`, ...given };
  return (await expectSuccess(harness.as(owner).post("/bots", bot))).user_id;
}

const ofBots = ({ type }: { type: string }) => type === "realm_bot";
const managers = ["ada", "ben", "dev"] as const;
const others = everybody.filter((name) => !(managers as readonly string[]).includes(name));
const outgoing = { bot_type: 3, payload_url: "https://build.example.com/chat" };

/** Everyone follows. The owner and administrators get these events of bots, and nobody else any. */
async function expectManagersGet(names: readonly string[], verb: () => Promise<unknown>) {
  const heard = await followAll(harness, everybody, verb);
  for (const name of managers) expect(eventNames(heard[name]?.filter(ofBots)), name).toEqual(names);
  for (const name of others) expect(heard[name]?.filter(ofBots), name).toEqual([]);
  return heard;
}

test("a new bot and its changes reach its owner and administrators, and nobody else", async () => {
  let id = 0;
  await expectManagersGet(["realm_bot/add"], async () => {
    id = await make("dev", { ...outgoing, default_sending_stream: "general" });
  });
  const change = (fields: Record<string, unknown>) =>
    expectSuccess(harness.as("dev").patch(`/bots/${id}`, fields));
  const renamed = await expectManagersGet(["realm_bot/update"], () => change({ full_name: "Renamed Bot" }));
  expect(renamed.dev?.filter(ofBots)).toMatchObject([{ bot: { user_id: id, full_name: "Renamed Bot" } }]);
  await expectManagersGet(["realm_bot/update"], () =>
    change({ service_payload_url: "https://other.example.com/", service_interface: 2 }),
  );
  await expectManagersGet(["realm_bot/update"], () => change({ default_all_public_streams: true }));
  await expectManagersGet(["realm_bot/update"], () =>
    expectSuccess(harness.as("dev").post(`/bots/${id}/api_key/regenerate`)),
  );
  await expectManagersGet(["realm_bot/update"], () => expectSuccess(harness.as("dev").delete(`/bots/${id}`)));
  await expectManagersGet(["realm_bot/update"], () =>
    expectSuccess(harness.as("ada").post(`/users/${id}/reactivate`)),
  );
  await expectManagersGet([], () => change({ full_name: "Renamed Bot", config_data: { a: "b" } }));
});

test("the name of a default channel follows the channel", async () => {
  const id = await make("dev", { default_sending_stream: "general" });
  const heard = await followAll(harness, ["dev", "ada", "elin"], () =>
    expectSuccess(harness.as("ada").patch(`/streams/${generalId}`, { new_name: "plaza" })),
  );
  const bot = expect.objectContaining({ user_id: id, default_sending_stream: "plaza" });
  expect(heard.dev?.filter(ofBots)).toContainEqual(expect.objectContaining({ bot }));
  expect(heard.elin?.filter(ofBots)).toEqual([]);
});

test("with another owner a bot leaves one list and comes into another", async () => {
  const id = await make("dev");
  const heard = await followAll(harness, everybody, () =>
    expectSuccess(harness.as("dev").patch(`/bots/${id}`, { bot_owner_id: harness.user("elin").id })),
  );
  expect(eventNames(heard.dev)).toEqual(["realm_user/update", "realm_bot/delete"]);
  expect(eventNames(heard.elin)).toEqual(["realm_user/update", "realm_bot/add"]);
  expect(eventNames(heard.ada)).toEqual(["realm_user/update", "realm_bot/update"]);
  expect(eventNames(heard.gus)).toEqual(["realm_user/update"]);
});

test("administrators get the bots of others with their role, and lose them with it", async () => {
  const id = await make("dev");
  const setRole = (role: number) =>
    expectSuccess(harness.as("ada").patch(`/users/${harness.user("cleo").id}`, { role }));
  const gained = await followAll(harness, everybody, () => setRole(roles.administrator));
  const added = gained.cleo?.filter(ofBots) as unknown as { op: string; bot: { user_id: number } }[];
  expect(added.map(({ bot }) => bot.user_id)).toContain(id);
  expect(gained.elin?.filter(ofBots)).toEqual([]);
  const lost = await followAll(harness, everybody, () => setRole(roles.moderator));
  const names = new Set(eventNames(lost.cleo?.filter(ofBots)));
  expect(names).toEqual(new Set(["realm_bot/delete"]));
});

test("a bot with the role of an owner leaves the lists of administrators", async () => {
  const id = await make("dev");
  const heard = await followAll(harness, ["ada", "ben", "dev"], () =>
    expectSuccess(harness.as("ada").patch(`/bots/${id}`, { role: roles.owner })),
  );
  expect(eventNames(heard.ben?.filter(ofBots))).toEqual(["realm_bot/delete"]);
  expect(heard.dev?.filter(ofBots)).toEqual([]);
});

test("a bot that is made on the command line reaches them too", async () => {
  await expectSilence(
    harness,
    { hears: "dev", silent: ["elin", "gus", "echo", "zed"] },
    () => make("dev"),
    ofBots,
  );
});
