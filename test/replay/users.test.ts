import { afterAll, beforeAll, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import { joinDefaultChannels } from "../../server/channels/defaults/join-default-channels.ts";
import { deactivateUser } from "../../server/people/actions.ts";
import { createPerson } from "../../server/people/create-person.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { PASSWORD } from "../harness/accounts.ts";
import { eventNames, everybody, expectSilence, follow, followAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "ben", "dev", "gus", "echo"], { isDefault: true });
  await harness.channel("leads", ["ada", "elin"], { isPrivate: true });
});
afterAll(() => harness.close());

async function invite(name: string): Promise<void> {
  const person = { email: `${name}@demo.test`, password: PASSWORD, full_name: `${name} Lind` };
  const { status, body } = await harness.as("ada").post("/users", person);
  expect(status, JSON.stringify(body)).toBe(200);
}

const deactivate = (name: CastName) => () =>
  runStateChange(harness.state, (tx) => deactivateUser(tx, harness.user(name).user));

test("a new person is known to everyone in the organization, with their default channels", async () => {
  const heard = await followAll(harness, everybody, () => invite("Finn"));
  expect(eventNames(heard.dev)).toContain("realm_user/add");
  expect(eventNames(heard.gus)).toContain("realm_user/add");
  expect(heard.zed).toEqual([]);
});

test.each(Object.entries(roles))("a new %s is in the groups of their role", async (name, role) => {
  const person = {
    email: `${name}@new.test`,
    fullName: `New ${name}`,
    password: PASSWORD,
    role,
  };
  const heard = await followAll(harness, everybody, () =>
    createPerson(harness.services.keyring, harness.user("ada").viewer, person, joinDefaultChannels),
  );
  expect(eventNames(heard.gus)).toContain("user_group/add_members");
});

test("a new person is not a full member before the waiting period is over", async () => {
  await followAll(harness, everybody, () =>
    harness.as("ada").patch("/realm", { waiting_period_threshold: 3 }),
  );
  const heard = await followAll(harness, everybody, () => invite("Hedda"));
  const joined = heard.ada?.filter(({ type }) => type === "user_group").map(({ group_id }) => group_id);
  const { body } = await harness.as("ada").get("/user_groups");
  const groups: { id: number; name: string }[] = body.user_groups;
  expect(groups.filter(({ id }) => joined?.includes(id)).map(({ name }) => name)).toEqual(["role:members"]);
  await followAll(harness, everybody, () =>
    harness.as("ada").patch("/realm", { waiting_period_threshold: 0 }),
  );
});

test("a deactivation is known to everyone who stays", async () => {
  const stay = everybody.filter((name) => name !== "elin");
  const heard = await followAll(harness, stay, deactivate("elin"));
  expect(eventNames(heard.gus)).toContain("realm_user/update");
});

test("an owner's bots are deactivated with the owner", async () => {
  const stay = everybody.filter((name) => !["ben", "echo", "elin"].includes(name));
  const heard = await followAll(harness, stay, deactivate("ben"));
  const gone = heard.ada
    ?.filter(({ type }) => type === "realm_user")
    .map((event) => (event.person as { user_id: number }).user_id);
  expect(gone).toEqual([harness.user("ben").id, harness.user("echo").id]);
});

test("a message to a channel with deactivated subscribers keeps the models right", async () => {
  await follow(harness, "ada", () =>
    harness
      .as("dev")
      .post("/messages", { type: "channel", to: "general", topic: "lunch", content: "@**all** soup" }),
  );
});

test("another organization gets no events of new people", () =>
  expectSilence(harness, { hears: "dev", silent: ["zed"] }, () => invite("Greta")));
