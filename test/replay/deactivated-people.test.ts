import { afterAll, beforeAll, expect, test } from "vitest";
import { deactivateUser } from "../../server/features/users/actions.ts";
import { changeState } from "../../server/platform/log/change.ts";
import { everybody, followAll } from "../harness/follow.ts";
import { type CastName, createWorld, type World } from "../harness/harness.ts";

let w: World;
beforeAll(async () => {
  w = await createWorld();
});
afterAll(() => w.close());

const deactivate = (name: CastName) => () =>
  changeState(w.state, (tx) => deactivateUser(tx, w.user(name).user));

test("someone who is deactivated is named by no setting, whatever it is a setting of", async () => {
  const named = (...names: CastName[]) => ({
    direct_members: names.map((name) => w.user(name).id),
    direct_subgroups: [],
  });
  const done = async (answer: Promise<{ status: number; body: Record<string, unknown> }>) => {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const subscriptions = [{ name: "cleo's own" }];
  await done(w.as("cleo").post("/users/me/subscriptions", { subscriptions, principals: [w.user("dev").id] }));
  await done(w.as("cleo").post("/user_groups/create", { name: "cleo's", description: "", members: [] }));
  const both = { can_create_groups: { new: named("cleo", "dev") } };
  await done(w.as("ada").patch("/realm", both));
  const stay = everybody.filter((name) => name !== "cleo");
  const heard = await followAll(w, stay, deactivate("cleo"));
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
  // Whoever leaves them out of what they expect is right.
  const { body } = await w.as("ada").get("/user_groups");
  const own = body.user_groups.find(({ name }: { name: string }) => name === "cleo's");
  const change = { can_manage_group: { new: named("ada"), old: own.can_manage_group } };
  await followAll(w, stay, () => done(w.as("ada").patch(`/user_groups/${own.id}`, change)));
});
