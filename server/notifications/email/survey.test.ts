import { afterAll, beforeAll, expect, test } from "vitest";
import { useMissedMail } from "../../../test/harness/missed-mail.ts";
import { openServices } from "../../app.ts";
import type { Services } from "../../services.ts";
import { followAll, MissedMessageFollower } from "./follower.ts";

const servers = useMissedMail();
const { tell, missed, id } = servers;

/** Another node, which nobody has asked for an organization yet. */
let other: Services;
beforeAll(async () => {
  const { config, log, database } = servers.harness.services;
  other = await openServices(config, log, database.connection);
});
afterAll(() => other.database.close());

test("a node leaves organizations to the node that follows them, and takes those that nobody follows", async () => {
  const { state } = servers.harness;
  await followAll(state);
  const follower = new MissedMessageFollower(other, (error) => expect.unreachable(String(error)));
  const { loaded } = other.organizations;
  await follower.survey();
  expect(loaded.size).toBe(0);
  // The node that has the organization is a moment behind at each survey.
  await tell("dev", ["elin"], "Are you there?");
  await follower.survey();
  await followAll(state);
  await tell("dev", ["elin"], "Hello?");
  await follower.survey();
  expect(loaded.size).toBe(0);
  // That node is gone.
  await follower.survey();
  expect([...loaded.keys()]).toEqual([state.organizationId]);
  expect((await missed()).map(({ user }) => user)).toEqual([id("elin"), id("elin")]);
});

test("a node that has just started takes what was left at once", async () => {
  await tell("dev", ["ben"], "Are you there?");
  const follower = new MissedMessageFollower(other, (error) => expect.unreachable(String(error)));
  await follower.survey();
  expect((await missed()).map(({ user }) => user)).toContain(id("ben"));
});
