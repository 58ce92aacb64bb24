/**
 * A new name may not look like that of something else (F11): with another form of a letter, with characters
 * that can't be seen, or with more blanks. What there is stays.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Channel, channels } from "../../server/channels/channel.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { expectSuccess } from "../harness/answers.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import { Node } from "../harness/node.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await expectSuccess(harness.as("ada").patch("/realm", { require_unique_names: true }));
});
afterAll(() => harness.close());

const TAKEN = "Tea kitchen";
const looksLikeIt = [
  "TEA KITCHEN",
  "Tea  kitchen",
  "Tea\u00a0kitchen",
  "Ｔｅａ ｋｉｔｃｈｅｎ",
  "𝐓𝐞𝐚 𝐤𝐢𝐭𝐜𝐡𝐞𝐧",
  "Tea\u200b kitchen",
  "Tea \u202ekitchen",
  "Tea kitchen\u3164",
  "Tea\u2060 kitchen\ufe0f",
];

type Ask = (name: string) => Promise<{ status: number; body: Record<string, unknown> }>;

/** Makes a thing of that name, and asks for another name of one that there is. */
const things: Record<string, { make: Ask; rename(): Promise<Ask> }> = {
  "a person": {
    make: (full_name) =>
      harness.as("ada").post("/users", {
        email: `p${Math.random()}@demo.test`,
        full_name,
        password: "correct horse battery",
      }),
    rename: async () => (full_name) => harness.as("dev").patch("/settings", { full_name }),
  },
  "a channel": {
    make: (name) => harness.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name }] }),
    async rename() {
      const id = await harness.channel("another", ["ada"]).then(() => harness.channelId("another"));
      return (new_name) => harness.as("ada").patch(`/streams/${id}`, { new_name });
    },
  },
  "a group": {
    make: (name) => harness.as("ada").post("/user_groups/create", { name, description: "", members: [] }),
    async rename() {
      const group = { name: "others", description: "", members: [] };
      const { group_id } = await expectSuccess(harness.as("ada").post("/user_groups/create", group));
      return (name) => harness.as("ada").patch(`/user_groups/${group_id}`, { name });
    },
  },
  "a profile field": {
    make: (name) => harness.as("ada").post("/realm/profile_fields", { name, field_type: 1 }),
    async rename() {
      const field = { name: "others", field_type: 1 };
      const { id } = await expectSuccess(harness.as("ada").post("/realm/profile_fields", field));
      return (name) => harness.as("ada").patch(`/realm/profile_fields/${id}`, { name });
    },
  },
  "a folder": {
    make: (name) => harness.as("ada").post("/channel_folders/create", { name }),
    async rename() {
      const { channel_folder_id: id } = await expectSuccess(
        harness.as("ada").post("/channel_folders/create", { name: "others" }),
      );
      return (name) => harness.as("ada").patch(`/channel_folders/${id}`, { name });
    },
  },
};

test.each(Object.entries(things))(
  "%s gets no name that looks like another's",
  async (_, { make, rename }) => {
    expect((await make(TAKEN)).status).toBe(200);
    const renameTo = await rename();
    for (const name of looksLikeIt) {
      // By COMPAT, one subscribes to a channel by any spelling of its name.
      const made = await make(name);
      const isSubscribed = "already_subscribed" in made.body;
      expect([name, made.status]).toEqual([name, isSubscribed ? 200 : 400]);
      expect([name, (await renameTo(name)).status]).toEqual([name, 400]);
    }
    expect((await renameTo("Coffee kitchen")).status).toBe(200);
    expect((await renameTo("Coffee Kitchen")).status).toBe(200);
  },
);

test("an emoji's name has plain letters alone", async () => {
  for (const name of ["te\u200ba", "ｔｅａ", "te a\u3164"]) {
    const answer = await harness.as("ada").post(`/realm/emoji/${encodeURIComponent(name)}`);
    expect(answer.status).toBe(400);
  }
});

test("topics that clients show apart stay apart", async () => {
  await harness.channel("apart", ["ada"]);
  for (const topic of ["m2", "m²", "a b", "a  b"]) {
    const message = { type: "channel", to: "apart", topic, content: "Soup" };
    await expectSuccess(harness.as("ada").post("/messages", message));
  }
  const id = await harness.channelId("apart");
  const { topics } = await expectSuccess(harness.as("ada").get(`/users/me/${id}/topics`));
  expect(topics.map(({ name }: { name: string }) => name).sort()).toEqual(["a  b", "a b", "m2", "m²"]);
});

test("things that are alike since before stay, are found by their names, and can be changed", async () => {
  const { database, config } = harness.services;
  await harness.channel("plans", ["ada"]);
  await harness.channel("other plans", ["ada"]);
  const all = harness.state.get(channels);
  const older = all.findByName("plans") as Channel;
  const alike = { ...(all.findByName("other plans") as Channel), name: "ｐｌａｎｓ" };
  // As a release has made it that compared names in another way.
  await database.query(sql`update channels set name = ${alike.name} where id = ${alike.id}`);
  all.put(alike);
  const node = await Node.start(config, database.connection, {
    organizationId: harness.state.organizationId,
  });
  try {
    const found = node.state.get(channels);
    expect(found.findByName(alike.name)?.id).toBe(alike.id);
    expect(found.findByName("plans")?.id).toBe(older.id);
  } finally {
    await node.stop();
  }
  const update = { description: "Later", is_private: true };
  await expectSuccess(harness.as("ada").patch(`/streams/${alike.id}`, update));
  await expectSuccess(harness.as("ada").patch(`/streams/${alike.id}`, { new_name: "other plans" }));
});
