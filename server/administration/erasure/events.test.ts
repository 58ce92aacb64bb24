/** What clients hear when a person is erased who is in settings, groups, channels and invitations. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
});
afterAll(() => harness.close());

test("everybody learns that the person is in no setting, group or channel, and has no bots", async () => {
  const ada = harness.as("ada");
  const { id } = harness.user("ben");
  const others = { direct_members: [id, harness.user("ada").id], direct_subgroups: [] };
  const { id: channelId } = await harness.channel("lounge", ["ada", "ben", "gus"]);
  const group = { name: "cooks", description: "", members: [id], can_manage_group: others };
  const { group_id } = await expectSuccess(ada.post("/user_groups/create", group));
  await expectSuccess(ada.patch(`/streams/${channelId}`, { can_administer_channel_group: { new: others } }));
  await expectSuccess(ada.patch("/realm", { can_create_groups: { new: others } }));
  const invitation = {
    invitee_emails: "kim@demo.test",
    stream_ids: [channelId],
    invite_expires_in_minutes: 60,
  };
  await expectSuccess(harness.as("ben").post("/invites", invitation));
  const { user_groups: groups } = await expectSuccess(ada.get("/user_groups"));
  const members = groups.find((each: { name: string }) => each.name === "role:members").id;
  await expectSuccess(ada.patch("/realm", { can_access_all_users_group: { new: members } }));
  const owner = await listen(ada);
  const guest = await listen(harness.as("gus"), { event_types: ["realm_user"] });
  await expectSuccess(ada.post(`/users/${id}/erase`));
  const heard = (await owner.heard()).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`));
  expect(new Set(heard)).toEqual(
    new Set([
      "invites_changed",
      "realm/update_dict",
      "realm_bot/update",
      "realm_user/update",
      "stream/update",
      "subscription/peer_remove",
      "user_group/remove_members",
      "user_group/update",
    ]),
  );
  // A guest who saw the person by a shared channel alone sees nobody there any more.
  expect((await guest.heard()).at(-1)).toMatchObject({ op: "remove", person: { user_id: id } });
  const { user_groups } = await expectSuccess(ada.get("/user_groups"));
  // Only the fields that name people: a time may end with the same digit as an id.
  const left = user_groups.find((each: { id: number }) => each.id === group_id);
  expect(left.members).not.toContain(id);
  expect(left.can_manage_group.direct_members ?? []).not.toContain(id);
});
