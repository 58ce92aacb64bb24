import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "ben", "dev", "gus"]);
});
afterAll(() => harness.close());

async function say(name: CastName, message: Record<string, unknown> = {}): Promise<number> {
  const channel = { type: "channel", to: "kitchen", topic: "lunch", content: "Soup?", ...message };
  return (await harness.as(name).post("/messages", channel)).body.id;
}

const read = (name: CastName, id: number) =>
  harness.as(name).post("/messages/flags", { messages: [id], op: "add", flag: "read" });

async function readers(name: CastName, id: number): Promise<number[]> {
  const { status, body } = await harness.as(name).get(`/messages/${id}/read_receipts`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.user_ids;
}

const idOf = async (stream: string): Promise<number> =>
  (await expectSuccess(harness.as("ada").get("/get_stream_id", { stream }))).stream_id;

const ids = (...names: CastName[]) => names.map((name) => harness.user(name).id);

test("the people who received a message and have read it are listed, without its sender", async () => {
  const id = await say("ada", { read_by_sender: true });
  expect(await readers("gus", id)).toEqual([]);
  await read("dev", id);
  await read("ben", id);
  // Elin sees it without having received it.
  await read("elin", id);
  expect(await readers("gus", id)).toEqual(ids("ben", "dev"));
  await harness.as("ben").post("/messages/flags", { messages: [id], op: "remove", flag: "read" });
  expect(await readers("gus", id)).toEqual(ids("dev"));
});

test("neither the sender, even after marking the message as read, nor deactivated people are listed", async () => {
  const id = await say("ada");
  for (const name of ["ada", "ben", "gus"] as const) await read(name, id);
  expect(await readers("dev", id)).toEqual(ids("ben", "gus"));
  await expectSuccess(harness.as("ada").delete(`/users/${harness.user("gus").id}`));
  expect(await readers("dev", id)).toEqual(ids("ben"));
  await expectSuccess(harness.as("ada").post(`/users/${harness.user("gus").id}/reactivate`));
  expect(await readers("dev", id)).toEqual(ids("ben", "gus"));
});

test("of a direct message, people of the conversation are listed", async () => {
  const id = await say("dev", { type: "direct", to: ids("gus"), topic: undefined });
  await read("gus", id);
  expect(await readers("dev", id)).toEqual(ids("gus"));
  expect((await harness.as("ada").get(`/messages/${id}/read_receipts`)).body.msg).toBe("Invalid message(s)");
});

test("people who send no read receipts, muted the asker or are muted by the asker are left out", async () => {
  const id = await say("ada");
  for (const name of ["ben", "dev", "gus"] as const) await read(name, id);
  expect(await readers("ada", id)).toEqual(ids("ben", "dev", "gus"));
  await harness.as("ben").patch("/settings", { send_read_receipts: false });
  expect(await readers("ada", id)).toEqual(ids("dev", "gus"));
  const mute = (who: CastName, whom: CastName) =>
    harness.state.database.query(sql`
      insert into muted_users (organization_id, user_id, muted_user_id)
      values (${harness.state.organizationId}, ${harness.user(who).id}, ${harness.user(whom).id})`);
  await mute("gus", "ada");
  expect(await readers("ada", id)).toEqual(ids("dev"));
  expect(await readers("elin", id)).toEqual(ids("dev", "gus"));
  await mute("elin", "dev");
  expect(await readers("elin", id)).toEqual(ids("gus"));
  await harness.state.database.query(sql`update muted_users set ended_at = now()`);
  expect(await readers("elin", id)).toEqual(ids("dev", "gus"));
  await harness.as("ben").patch("/settings", { send_read_receipts: true });
});

test("people who were not in the channel that a message came from have not read it", async () => {
  const kitchen = await idOf("kitchen");
  const pantry = (await harness.channel("pantry", ["ada", "ben", "cleo", "dev", "gus", "elin"])).id;
  const id = await say("ada");
  await read("ben", id);
  const move = (to: number) => expectSuccess(harness.as("ada").patch(`/messages/${id}`, { stream_id: to }));
  await move(pantry);
  // Cleo and Elin never received it, so it is not unread for them.
  expect((await harness.as("cleo").get(`/messages/${id}`)).body.message.flags).toContain("read");
  expect(await readers("gus", id)).toEqual(ids("ben"));
  // It came unread to Dev, who was in the kitchen.
  await read("dev", id);
  expect(await readers("gus", id)).toEqual(ids("ben", "dev"));
  // Ben had read it before he left the kitchen.
  await expectSuccess(harness.as("ben").delete("/users/me/subscriptions", { subscriptions: ["kitchen"] }));
  expect(await readers("gus", id)).toEqual(ids("ben", "dev"));
  await expectSuccess(
    harness.as("ben").post("/users/me/subscriptions", { subscriptions: [{ name: "kitchen" }] }),
  );
  await move(kitchen);
  expect(await readers("gus", id)).toEqual(ids("ben", "dev"));
});

test("leaving a channel, or archiving it, is not reading its messages", async () => {
  const attic = (await harness.channel("attic", ["ada", "ben", "dev", "gus"])).id;
  const id = await say("ada", { to: "attic" });
  await read("ben", id);
  await expectSuccess(harness.as("dev").delete("/users/me/subscriptions", { subscriptions: ["attic"] }));
  await expectSuccess(harness.as("ada").delete(`/streams/${attic}`));
  await expectSuccess(harness.as("ada").patch(`/streams/${attic}`, { is_archived: false }));
  const { message } = (await harness.as("gus").get(`/messages/${id}`)).body;
  expect(message.flags).toEqual(["read"]);
  expect(await readers("ada", id)).toEqual(ids("ben"));
  await harness.as("gus").post("/messages/flags", { messages: [id], op: "remove", flag: "read" });
  await read("gus", id);
  expect(await readers("ada", id)).toEqual(ids("ben", "gus"));
});

test("who has left a private channel is known only to those who were there with them", async () => {
  await harness.channel("cellar", ["ada", "ben", "dev", "gus"], { isPrivate: true, isHistoryShared: true });
  const id = await say("ada", { to: "cellar" });
  for (const name of ["ben", "dev"] as const) await read(name, id);
  await expectSuccess(harness.as("ben").delete("/users/me/subscriptions", { subscriptions: ["cellar"] }));
  await expectSuccess(
    harness.as("ada").post("/users/me/subscriptions", {
      subscriptions: [{ name: "cellar" }],
      principals: ids("elin"),
    }),
  );
  expect(await readers("gus", id)).toEqual(ids("ben", "dev"));
  expect(await readers("elin", id)).toEqual(ids("dev"));
});

test("read receipts are refused if the organization has turned them off", async () => {
  const id = await say("ada");
  await harness.as("ada").patch("/realm", { enable_read_receipts: false });
  const { status, body } = await harness.as("dev").get(`/messages/${id}/read_receipts`);
  expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
});
