import { afterAll, beforeAll, expect, test } from "vitest";
import { eventNames, everybody, followAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

test("no setting of the organization, a channel or a group names a deactivated person", async () => {
  const named = (...names: CastName[]) => ({
    direct_members: names.map((name) => harness.user(name).id),
    direct_subgroups: [],
  });
  const done = async (answer: Promise<{ status: number; body: Record<string, unknown> }>) => {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const subscriptions = [{ name: "cleo's own" }];
  await done(
    harness
      .as("cleo")
      .post("/users/me/subscriptions", { subscriptions, principals: [harness.user("dev").id] }),
  );
  await done(
    harness.as("cleo").post("/user_groups/create", { name: "cleo's", description: "", members: [] }),
  );
  const both = { can_create_groups: { new: named("cleo", "dev") } };
  await done(harness.as("ada").patch("/realm", both));
  const stay = everybody.filter((name) => name !== "cleo");
  const heard = await followAll(harness, stay, () =>
    done(harness.as("ada").delete(`/users/${harness.user("cleo").id}`)),
  );
  const nobody = { direct_members: [], direct_subgroups: [] };
  expect(heard.dev).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: "realm", data: { can_create_groups: named("dev") } }),
      expect.objectContaining({
        type: "user_group",
        data: { can_add_members_group: nobody, can_manage_group: nobody },
      }),
      expect.objectContaining({ property: "can_administer_channel_group", value: nobody }),
    ]),
  );
  const again = await followAll(harness, stay, () =>
    done(harness.as("ada").post(`/users/${harness.user("cleo").id}/reactivate`)),
  );
  const her = named("cleo");
  expect(again.dev).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: "realm", data: { can_create_groups: named("cleo", "dev") } }),
      expect.objectContaining({
        type: "user_group",
        data: { can_add_members_group: her, can_manage_group: her },
      }),
      expect.objectContaining({ property: "can_administer_channel_group", value: her }),
    ]),
  );
  const ended = await followAll(harness, stay, () => done(harness.as("cleo").delete("/users/me")));
  expect(eventNames(ended.dev)).toEqual(
    expect.arrayContaining(["realm/update_dict", "user_group/update", "stream/update"]),
  );
  // A client may leave deactivated people out of the old value that it sends.
  const { body } = await harness.as("ada").get("/user_groups");
  const own = body.user_groups.find(({ name }: { name: string }) => name === "cleo's");
  const change = { can_manage_group: { new: named("ada"), old: own.can_manage_group } };
  await followAll(harness, stay, () => done(harness.as("ada").patch(`/user_groups/${own.id}`, change)));
});
