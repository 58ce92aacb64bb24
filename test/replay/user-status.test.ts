import { afterAll, beforeAll, expect, test } from "vitest";
import { registerSectionsOfModules } from "../../server/modules.ts";
import { createUser, deactivateUser } from "../../server/people/actions.ts";
import { Quotas } from "../../server/people/quotas/quotas.ts";
import type { User } from "../../server/people/user.ts";
import { users } from "../../server/people/user.ts";
import { changeContent, changeState } from "../../server/people/viewer/change.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { patchOf } from "../../server/platform/log/projection.ts";
import { register } from "../../server/platform/queues/register.ts";
import type { RawJson } from "../../server/platform/std/raw-json.ts";
import { setStatus } from "../../server/profiles/user-status/actions.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import { Node } from "../harness/node.ts";
import { queueOptions } from "../harness/queue.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

const set = (params: Record<string, unknown>) => () =>
  expectSuccess(harness.as("dev").post("/users/me/status", params));

test("models follow every change of a status", async () => {
  const changes = [
    { status_text: "On vacation" },
    { emoji_name: "car" },
    { away: true },
    { status_text: "", away: false },
    { status_text: "Back", emoji_name: "octopus" },
    { emoji_name: "" },
    { status_text: "" },
  ];
  for (const change of changes) {
    const heard = await followAll(harness, everybody, set(change));
    expect(eventNames(heard.gus).filter((name) => name === "user_status")).not.toEqual([]);
    expect(heard.zed).toEqual([]);
  }
});

test("a status goes to everybody in the organization and to nobody else", async () => {
  await expectSilence(harness, { hears: "gus", silent: ["zed"] }, set({ status_text: "Here" }));
});

test("somebody who comes learns of a status that another server has stored", async () => {
  const { config, database } = harness.services;
  const other = await Node.start(config, database.connection, {
    organizationId: harness.state.organizationId,
  });
  try {
    const { viewer, user } = harness.user("cleo");
    await changeContent({ ...viewer, state: other.state }, (tx) =>
      setStatus(tx, new Quotas(other.services.config), user, { statusText: "Busy" }),
    );
    // A request reads the log before it is handled. So this one comes from within.
    const { services } = harness;
    const { fields } = await register(harness.state, services.queues, registerSectionsOfModules(services), {
      viewer: harness.user("gus").viewer,
      options: queueOptions(),
      fetchEventTypes: ["user_status"],
      lifespanSeconds: 600,
      presenceHistoryLimitDays: 14,
      baseUrl: "http://demo.test",
    });
    expect(JSON.parse((fields.user_status as RawJson).text)).toMatchObject({
      [user.id]: { status_text: "Busy" },
    });
  } finally {
    await other.stop();
  }
});

test("the setting of presence changes everybody's models", async () => {
  const change = (value: boolean) => () =>
    expectSuccess(harness.as("elin").patch("/settings", { presence_enabled: value }));
  const heard = await followAll(harness, everybody, change(false));
  expect(heard.gus).toMatchObject([{ type: "user_status", user_id: harness.user("elin").id, away: true }]);
  await followAll(harness, everybody, change(true));
});

test("people who are deactivated have no status, and have it again when they are activated", async () => {
  const fay: User = await runStateChange(harness.state, (tx) =>
    createUser(tx, harness.services.keyring, {
      email: "fay@demo.test",
      fullName: "Fay Moss",
      role: 400,
      passwordHash: null,
    }),
  );
  const status = { status_text: "Here", emoji_name: "car" };
  await expectSuccess(harness.as("ada").post(`/users/${fay.id}/status`, status));
  await followAll(harness, everybody, () => runStateChange(harness.state, (tx) => deactivateUser(tx, fay)));
  const { user_status } = await expectSuccess(harness.as("ada").post("/register"));
  expect(user_status).not.toHaveProperty(`${fay.id}`);
  // No verb activates an account yet.
  await changeState(harness.user("ada").viewer, async (tx) => {
    tx.appendPatch(patchOf(users, { put: [{ ...fay, isActive: true }] }));
  });
  const again = await expectSuccess(harness.as("ada").post("/register"));
  expect(again.user_status[fay.id]).toMatchObject({ status_text: "Here" });
});
