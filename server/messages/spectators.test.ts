// What a reader without an account learns of people's addresses. People sign in with them.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CastName, createHarness, type Harness, HOST } from "../../test/harness/harness.ts";

let harness: Harness;
let channelId: number;
let messageId: number;
const castNames: CastName[] = ["ada", "ben", "cleo", "dev", "elin", "gus", "echo"];
const everything = { anchor: "newest", num_before: 100, num_after: 0 };
const inSquare = { operator: "channel", operand: "square" };

beforeAll(async () => {
  harness = await createHarness();
  await harness.as("ada").patch("/realm", { enable_spectator_access: true });
  channelId = (await harness.channel("square", ["ada", "dev"], { isWebPublic: true })).id;
  const content = "/poll Soup?\nyes\nno";
  for (const name of ["ada", "dev"] as const) {
    const message = { type: "channel", to: "square", topic: "soup", content };
    messageId = (await harness.as(name).post("/messages", message)).body.id;
    await harness.as("dev").patch(`/messages/${messageId}`, { topic: `soup of ${name}` });
    await harness.as("ada").post(`/messages/${messageId}/reactions`, { emoji_name: "heart" });
    await harness.as("ada").post("/submessage", {
      message_id: messageId,
      msg_type: "widget",
      content: JSON.stringify({ type: "vote", key: "canned,0", vote: 1 }),
    });
  }
});
afterAll(() => harness.close());

/** Everything that can be called without an account. */
async function answers(): Promise<string> {
  const nobody = harness.nobody();
  const all = [
    await nobody.get("/server_settings"),
    await nobody.post("/register"),
    await nobody.get(`/messages/${messageId}`),
    await nobody.get(`/messages/${messageId}`, { apply_markdown: false }),
    await nobody.get(`/users/me/${channelId}/topics`),
  ];
  for (const clientGravatar of [true, false]) {
    const params = { ...everything, client_gravatar: clientGravatar, narrow: [inSquare] };
    all.push(await nobody.get("/messages", params));
  }
  for (const { status, body } of all) expect(status, JSON.stringify(body)).toBe(200);
  return JSON.stringify(all);
}

function identifying(): string[] {
  const emails = castNames.map((name) => harness.user(name).email);
  const hashes = emails.flatMap((email) =>
    ["md5", "sha1", "sha256"].map((kind) => createHash(kind).update(email.toLowerCase()).digest("hex")),
  );
  return [...emails, ...hashes];
}

test("without an account, no answer has a person's address or a hash of it", async () => {
  const text = (await answers()).toLowerCase();
  expect(text).toContain("dev rao");
  expect(identifying().filter((part) => text.includes(part.toLowerCase()))).toEqual([]);
  const { body } = await harness.as("gus").get("/messages", { ...everything, narrow: [inSquare] });
  const emails = body.messages.map((message: { sender_email: string }) => message.sender_email);
  expect(emails).toContain(harness.user("dev").email);
});

test("without an account, each sender has an address and a picture of their own", async () => {
  const params = { ...everything, narrow: [inSquare] };
  const { messages } = (await harness.nobody().get("/messages", params)).body;
  const { id } = harness.user("dev");
  for (const { sender_id, sender_email } of messages) expect(sender_email).toBe(`user${sender_id}@${HOST}`);
  expect(messages.map((message: { sender_id: number }) => message.sender_id)).toContain(id);
  const pictures = messages.map((message: { avatar_url: unknown }) => message.avatar_url);
  expect(pictures).not.toContain(null);
  expect(new Set(pictures).size).toBe(
    new Set(messages.map((message: { sender_id: number }) => message.sender_id)).size,
  );
});

const bySender = (operand: unknown) =>
  harness.nobody().get("/messages", { ...everything, narrow: [inSquare, { operator: "sender", operand }] });

test("without an account, a sender is named by ID or by the address that messages show", async () => {
  const { id } = harness.user("dev");
  for (const operand of [id, `${id}`, `user${id}@${HOST}`, `USER${id}@${HOST}`]) {
    const { body } = await bySender(operand);
    expect(body.messages.length, String(operand)).toBeGreaterThan(0);
    for (const { sender_id } of body.messages) expect(sender_id).toBe(id);
  }
});

test("without an account, a narrow does not tell which addresses and IDs exist", async () => {
  const { email } = harness.user("dev");
  const silent = harness.user("elin");
  const unknown = "nobody@demo.test";
  for (const operator of ["sender", "from"]) {
    for (const known of [email, email.toUpperCase(), silent.email]) {
      const ask = (operand: unknown) =>
        harness.nobody().get("/messages", { ...everything, narrow: [inSquare, { operator, operand }] });
      const answer = await ask(known);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body).replaceAll(known, "")).toBe(
        JSON.stringify((await ask(unknown)).body).replaceAll(unknown, ""),
      );
      expect((await ask([known])).status).toBe((await ask([unknown])).status);
      expect((await ask(`${known},${known}`)).status).toBe((await ask(`${unknown},${unknown}`)).status);
    }
  }
  for (const nobody of [999_999, "999999", `user999999@${HOST}`, Number.MAX_SAFE_INTEGER]) {
    expect((await bySender(nobody)).body).toEqual((await bySender(silent.id)).body);
  }
  for (const operator of ["dm", "pm-with", "dm-including", "group-pm-with", "mentions"]) {
    const ask = (operand: string) =>
      harness.nobody().get("/messages", { ...everything, narrow: [inSquare, { operator, operand }] });
    expect((await ask(email)).status).toBe(401);
    expect((await ask(unknown)).status).toBe(401);
  }
});
