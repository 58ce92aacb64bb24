import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { tomorrow } from "../../../api/personal/scheduled-messages.ts";
import { expectSuccess, refusal, sayIn } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { countJobs, runJobsEarly } from "../../../test/harness/jobs.ts";
import { listen } from "../../../test/harness/listener.ts";
import { Node } from "../../../test/harness/node.ts";
import { deactivateUser } from "../../people/actions.ts";
import { addQuotaUse } from "../../people/quotas/store.ts";
import { type User, users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { runDueJobs } from "../../platform/jobs/run-due-jobs.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { deliverReminder } from "./deliver.ts";

let harness: Harness;
let limited: Harness;
let place: number;
let target: number;
let count = 0;
const say = sayIn(() => harness);
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  limited = await createHarness({ PARLEY_ENV: "production", PARLEY_SECRET: "a secret for the tests" });
});
afterAll(async () => {
  await limited.close();
  await harness.close();
});
beforeEach(async () => {
  place = (await harness.channel(`kitchen ${++count}`, ["ada", "dev", "gus"], { isPrivate: true })).id;
  target = await say("ada", place, { content: `Soup ${count} for @**Dev Rao**` });
  for (const name of ["dev", "gus", "echo"] as const) {
    for (const { reminder_id } of await list(name)) await remove(name, reminder_id);
  }
});

const id = (name: CastName) => harness.user(name).id;
const early = () => runJobsEarly(harness.services);
const set = (name: CastName, more: Record<string, unknown> = {}) =>
  harness.as(name).post("/reminders", {
    message_id: target,
    scheduled_delivery_timestamp: tomorrow(),
    ...more,
  });
const remove = (name: CastName, reminder: number) => harness.as(name).delete(`/reminders/${reminder}`);
const list = async (name: CastName) => (await expectSuccess(harness.as(name).get("/reminders"))).reminders;
const remind = async (name: CastName, more: Record<string, unknown> = {}): Promise<number> =>
  (await expectSuccess(set(name, more))).reminder_id;

/** The messages of the notification bot, oldest first. */
async function fromBot(name: CastName, form: Record<string, unknown> = { apply_markdown: false }) {
  const params = { anchor: "newest", num_before: 300, num_after: 0, narrow: [["is", "dm"]], ...form };
  const { messages } = await expectSuccess(harness.as(name).get("/messages", params));
  return messages.filter((each: { sender_email: string }) =>
    each.sender_email.startsWith("notification-bot"),
  );
}

describe("a reminder", () => {
  test("is listed until its time, without the text of the message", async () => {
    const time = tomorrow();
    const reminder = await remind("dev", { note: " **Taste** it ", scheduled_delivery_timestamp: time });
    const [record, ...others] = await list("dev");
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      reminder_id: reminder,
      type: "private",
      to: [id("dev")],
      scheduled_delivery_timestamp: time,
      failed: false,
      reminder_target_message_id: target,
    });
    expect(record.content).toContain("**Taste** it");
    expect(record.rendered_content).toContain("<strong>Taste</strong> it");
    expect(record.rendered_content).toContain(`near/${target}`);
    expect(record.content).not.toContain("Soup");
    expect((await expectSuccess(harness.as("dev").post("/register"))).reminders).toEqual([record]);
  });

  test("is open to guests and to bots, for what they can read", async () => {
    await remind("gus");
    expect(await refusal(set("echo"))).toBe("Invalid message(s)");
    const direct = await say("ada", [id("echo")], { type: "direct", topic: undefined });
    await remind("echo", { message_id: direct });
    expect([(await list("gus")).length, (await list("echo")).length]).toEqual([1, 1]);
  });

  test("for a message that one can't read is refused as for one that does not exist", async () => {
    const answers = [await set("elin"), await set("zed"), await set("elin", { message_id: 99_999_999 })];
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.msg}`))).toEqual(
      new Set(["400 Invalid message(s)"]),
    );
    expect(await countJobs(harness.services, "deliver_reminder")).toBe(0);
  });

  test.each([
    ["a time that has passed", { scheduled_delivery_timestamp: 1 }, "must be in the future"],
    ["a time in six years", { scheduled_delivery_timestamp: 2 ** 45 }, "next 5 years"],
    ["a note that is too long", { note: "x".repeat(1001) }, "note is too long (limit: 1000 characters)"],
  ])("with %s is refused", async (_, params, words) => {
    expect(await refusal(set("dev", params))).toContain(words);
    expect(await list("dev")).toEqual([]);
  });

  test("can have a note of a thousand characters, whatever they are", async () => {
    await remind("dev", { note: "🥣".repeat(1000) });
    await early();
    expect((await fromBot("dev")).at(-1).content).toContain("🥣".repeat(1000));
  });

  test("has a limit for each person, and for each hour", async () => {
    const { organizationId, database } = harness.state;
    await database.query(sql`
      insert into reminders (organization_id, user_id, message_id, note, content, rendered_content, deliver_at)
      select ${organizationId}, ${id("dev")}, ${target}, '', 'x', 'x', now() + interval '1 day'
      from generate_series(1, 499)`);
    await remind("dev");
    expect(await refusal(set("dev"))).toBe("You can have at most 500 reminders.");
    await remind("gus");
    await early();
    await database.query(sql`delete from reminders`);

    const direct = { type: "direct", to: [limited.user("dev").id], content: "x" };
    const { id: message } = await expectSuccess(limited.as("dev").post("/messages", direct));
    const userId = limited.user("dev").user.id;
    await addQuotaUse(limited.services.database, limited.state.organizationId, userId, "reminders", 199);
    const call = (message_id: number) =>
      limited.as("dev").post("/reminders", { message_id, scheduled_delivery_timestamp: tomorrow() });
    expect((await call(99_999_999)).status).toBe(400);
    expect((await call(message)).status).toBe(200);
    expect((await call(message)).body.code).toBe("RATE_LIMIT_HIT");
  });

  test("that is deleted is never delivered, and only its owner can delete it", async () => {
    const reminder = await remind("dev");
    for (const name of ["ada", "gus", "zed"] as const) {
      const { status, body } = await remove(name, reminder);
      expect([status, body.msg]).toEqual([404, "Reminder does not exist"]);
    }
    const before = await fromBot("dev");
    await expectSuccess(remove("dev", reminder));
    expect((await remove("dev", reminder)).status).toBe(404);
    expect(await countJobs(harness.services, "deliver_reminder")).toBe(0);
    await early();
    expect(await fromBot("dev")).toEqual(before);
  });
});

describe("at its time a reminder", () => {
  test("comes as an unread message with a link, the note and a quotation that mentions nobody", async () => {
    const dev = await listen(harness.as("dev"), { event_types: ["reminders", "message"] });
    const reminder = await remind("dev", { note: "Taste it, @**all**" });
    await early();
    const [added, removed, message, ...others] = await dev.heard();
    expect([added.op, removed, others]).toEqual([
      "add",
      { type: "reminders", op: "remove", reminder_id: reminder },
      [],
    ]);
    expect(message.flags).toEqual([]);
    const notice = (await fromBot("dev")).at(-1);
    expect(notice).toMatchObject({ id: message.message.id, flags: [] });
    expect(notice.content).toContain("Taste it");
    expect(notice.content).toContain(`Soup ${count} for @**Dev Rao**`);
    const html = (await fromBot("dev", {})).at(-1).content;
    expect(html.match(/<blockquote>/g)).toHaveLength(2);
    expect(html).toContain(`near/${target}`);
    const { unread_msgs } = await expectSuccess(harness.as("dev").post("/register"));
    expect(JSON.stringify(unread_msgs)).toContain(`${notice.id}`);
    expect(await list("dev")).toEqual([]);
  });

  test("of a direct message links it too", async () => {
    const direct = await say("ada", [id("gus")], { type: "direct", topic: undefined, content: "psst" });
    await remind("gus", { message_id: direct });
    await early();
    expect((await fromBot("gus", {})).at(-1).content).toContain(`/#narrow/id/${direct}"`);
  });

  const losses: [string, () => Promise<unknown>][] = [
    ["was deleted", () => harness.as("ada").delete(`/messages/${target}`)],
    [
      "is in a channel that the person left",
      () => harness.as("dev").delete("/users/me/subscriptions", { subscriptions: [`kitchen ${count}`] }),
    ],
  ];
  test.each(losses)("says nothing of a message that %s", async (_, lose) => {
    await remind("dev", { note: "Taste it" });
    await expectSuccess(lose() as ReturnType<typeof set>);
    await early();
    const notice = (await fromBot("dev")).at(-1);
    expect(notice.content).toContain("can no longer read");
    expect(notice.content).toContain("Taste it");
    for (const secret of ["Soup", "kitchen", "Ada"]) expect(notice.content).not.toContain(secret);
  });

  test("quotes the message as it is then", async () => {
    await remind("dev");
    await expectSuccess(harness.as("ada").patch(`/messages/${target}`, { content: "Bread" }));
    await early();
    expect((await fromBot("dev")).at(-1).content).toContain("Bread");
  });

  test("comes once, from two nodes and after a crash", async () => {
    const before = await fromBot("dev");
    const { config, database } = harness.services;
    const options = { organizationId: harness.state.organizationId };
    const nodes = [
      await Node.start(config, database.connection, options),
      await Node.start(config, database.connection, options),
    ];
    for (let index = 0; index < 10; index++) await remind("dev");
    await database.query(sql`update graphile_worker._private_jobs set run_at = now()`);
    const dying = {
      ...deliverReminder,
      run: async (...args: Parameters<typeof deliverReminder.run>) => {
        await deliverReminder.run(...args);
        throw new Error("the node died");
      },
    };
    await Promise.all(nodes.map(({ services }) => runDueJobs(services, [dying])));
    await early();
    expect(await fromBot("dev")).toHaveLength(before.length + 10);
    await Promise.all(nodes.map((node) => node.stop()));
  });

  test("is dropped for a person who was deactivated", async () => {
    const direct = await say("ada", [id("elin")], { type: "direct", topic: undefined });
    await remind("elin", { message_id: direct });
    await runStateChange(harness.state, (tx) =>
      deactivateUser(tx, tx.state.get(users).find(id("elin")) as User),
    );
    const { database } = harness.services;
    const sent = async () => (await database.query(sql`select from messages`)).length;
    const before = await sent();
    await early();
    expect(await sent()).toBe(before);
    expect(await database.query(sql`select from reminders where user_id = ${id("elin")}`)).toEqual([]);
  });
});
