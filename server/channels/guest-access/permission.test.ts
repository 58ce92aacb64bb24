// Whether guests are limited, and what a change of that does.
import { afterEach, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import type { CastName } from "../../../test/harness/harness.ts";
import { useLimitedGuests } from "../../../test/harness/limited-guests.ts";
import { type Listener, listen } from "../../../test/harness/listener.ts";
import { createUser } from "../../people/actions.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { limits } from "./access-changes.ts";

const guests = useLimitedGuests();
const { limit } = guests;

const usual = { ...limits };
afterEach(() => Object.assign(limits, usual));

test("the permission takes the groups of everyone and of members, and no other", async () => {
  const { body } = await guests.harness.as("ada").get("/user_groups");
  const set = async (name: string) => {
    const group = body.user_groups.find((each: { name: string }) => each.name === name);
    return (await guests.harness.as("ada").patch("/realm", { can_access_all_users_group: { new: group.id } }))
      .status;
  };
  expect(await set("role:moderators")).toBe(400);
  expect(await set("role:nobody")).toBe(400);
  expect(await set("cooks")).toBe(400);
  expect(await set("role:everyone")).toBe(200);
  expect(await set("role:members")).toBe(200);
});

test("the queues of a guest end when too many people become unknown at once", async () => {
  // A thousand people take longer to make than all other tests of this file.
  limits.announced = 20;
  await limit(false);
  await runStateChange(guests.harness.state, async (tx) => {
    for (let count = 0; count <= limits.announced; count++) {
      const person = { email: `many${count}@demo.test`, fullName: `Many ${count}`, role: roles.member };
      await createUser(tx, guests.harness.services.keyring, {
        ...person,
        passwordHash: null,
      });
    }
  });
  const gus = await listen(guests.harness.as("gus"));
  const dev = await listen(guests.harness.as("dev"));
  await limit(true);
  const poll = (name: CastName, { queueId, snapshot }: Listener) =>
    guests.harness.as(name).get("/events", {
      queue_id: queueId,
      last_event_id: snapshot.last_event_id,
      dont_block: true,
    });
  expect((await poll("dev", dev)).status).toBe(200);
  expect((await poll("gus", gus)).body.code).toBe("BAD_EVENT_QUEUE_ID");
  const { realm_users } = await expectSuccess(guests.harness.as("gus").post("/register"));
  expect(JSON.stringify(realm_users)).not.toContain("Many");
});
