import { afterAll, beforeAll, expect, test } from "vitest";
import { type CastName, createWorld, type World } from "../../../test/world.ts";
import { sql } from "../../db/sql.ts";

let w: World;
beforeAll(async () => {
  w = await createWorld();
  await w.channel("kitchen", ["ada", "ben", "dev", "gus"]);
});
afterAll(() => w.close());

async function say(name: CastName, message: Record<string, unknown> = {}): Promise<number> {
  const channel = { type: "channel", to: "kitchen", topic: "lunch", content: "Soup?", ...message };
  return (await w.as(name).post("/messages", channel)).body.id;
}

const read = (name: CastName, id: number) =>
  w.as(name).post("/messages/flags", { messages: [id], op: "add", flag: "read" });

async function readers(name: CastName, id: number): Promise<number[]> {
  const { status, body } = await w.as(name).get(`/messages/${id}/read_receipts`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.user_ids;
}

const ids = (...names: CastName[]) => names.map((name) => w.user(name).id);

test("those who received a message and have read it are listed, without its sender", async () => {
  const id = await say("ada", { read_by_sender: true });
  expect(await readers("gus", id)).toEqual([]);
  await read("dev", id);
  await read("ben", id);
  // Elin sees it without having received it.
  await read("elin", id);
  expect(await readers("gus", id)).toEqual(ids("ben", "dev"));
  await w.as("ben").post("/messages/flags", { messages: [id], op: "remove", flag: "read" });
  expect(await readers("gus", id)).toEqual(ids("dev"));
});

test("of a direct message they are its people", async () => {
  const id = await say("dev", { type: "direct", to: ids("gus"), topic: undefined });
  await read("gus", id);
  expect(await readers("dev", id)).toEqual(ids("gus"));
  expect((await w.as("ada").get(`/messages/${id}/read_receipts`)).body.msg).toBe("Invalid message(s)");
});

test("who keeps what they read to themselves, or muted the asker, or is muted, is left out", async () => {
  const id = await say("ada");
  for (const name of ["ben", "dev", "gus"] as const) await read(name, id);
  expect(await readers("ada", id)).toEqual(ids("ben", "dev", "gus"));
  await w.as("ben").patch("/settings", { send_read_receipts: false });
  expect(await readers("ada", id)).toEqual(ids("dev", "gus"));
  const mute = (who: CastName, whom: CastName) =>
    w.live.database.query(sql`
      insert into muted_users (organization_id, user_id, muted_user_id)
      values (${w.live.organizationId}, ${w.user(who).id}, ${w.user(whom).id})`);
  await mute("gus", "ada");
  expect(await readers("ada", id)).toEqual(ids("dev"));
  expect(await readers("elin", id)).toEqual(ids("dev", "gus"));
  await mute("elin", "dev");
  expect(await readers("elin", id)).toEqual(ids("gus"));
});

test("nobody is told anything where the organization does not want it", async () => {
  const id = await say("ada");
  await w.as("ada").patch("/realm", { enable_read_receipts: false });
  const { status, body } = await w.as("dev").get(`/messages/${id}/read_receipts`);
  expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
});
