import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../harness/answers.ts";
import { type Cluster, startCluster } from "./cluster.ts";

let node = 0;
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster(2, () => node);
});
afterAll(() => cluster?.close());

test.each([
  [0, 1],
  [1, 0],
])("somebody who was reactivated on server %i calls server %i with the new key", async (first, second) => {
  const path = `/users/${cluster.user("gus").id}`;
  node = first;
  await expectSuccess(cluster.as("ada").delete(path));
  await expectSuccess(cluster.as("ada").post(`${path}/reactivate`));
  node = second;
  expect((await expectSuccess(cluster.as("gus").get("/users/me"))).user_id).toBe(cluster.user("gus").id);
});

test.each([0, 1])("a call of server %i shows the password that it asks for", async (each) => {
  node = each;
  await expectSuccess(cluster.as("dev").patch("/settings", { enable_login_emails: false }));
  await expectSuccess(cluster.as("dev").patch("/settings", { enable_login_emails: true }));
});
