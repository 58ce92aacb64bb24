import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { tomorrow } from "../../../api/personal/scheduled-messages.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { countJobs, jobsOf, runJobs, runJobsEarly, withoutRegularLooks } from "../../../test/harness/jobs.ts";
import { listen } from "../../../test/harness/listener.ts";
import { Node } from "../../../test/harness/node.ts";
import { waitingSessions } from "../../../test/harness/waiting.ts";
import { deactivateUser } from "../../people/actions.ts";
import { type User, users } from "../../people/user.ts";
import { ServerBusy } from "../../platform/db/server-busy.ts";
import { sql } from "../../platform/db/sql.ts";
import { JobRunner } from "../../platform/jobs/runner.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { deliverScheduledMessage } from "./deliver.ts";

let harness: Harness;
let place: number;
let count = 0;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
});
afterAll(() => harness.close());
beforeEach(async () => {
  place = (await harness.channel(`kitchen ${++count}`, ["ada", "dev", "gus", "echo"])).id;
  for (const name of ["dev", "echo"] as const) {
    for (const { scheduled_message_id: message } of await list(name)) {
      await expectSuccess(harness.as(name).delete(`/scheduled_messages/${message}`));
    }
  }
});

const id = (name: CastName) => harness.user(name).id;
const early = () => runJobsEarly(harness.services);
const waiting = () => countJobs(harness.services, "deliver_scheduled_message");

async function schedule(name: CastName, more: Record<string, unknown> = {}): Promise<number> {
  const message = { type: "channel", to: place, topic: "lunch", content: "Soup", ...more };
  const params = { scheduled_delivery_timestamp: tomorrow(), ...message };
  return (await expectSuccess(harness.as(name).post("/scheduled_messages", params))).scheduled_message_id;
}

async function list(name: CastName) {
  return (await expectSuccess(harness.as(name).get("/scheduled_messages"))).scheduled_messages;
}

/** The messages that the viewer finds, oldest first. */
async function read(name: CastName, narrow: object) {
  const params = { anchor: "newest", num_before: 300, num_after: 0, narrow: [narrow], apply_markdown: false };
  return (await expectSuccess(harness.as(name).get("/messages", params))).messages;
}

const inPlace = (name: CastName = "ada") => read(name, { operator: "channel", operand: place });
const contents = async () => (await inPlace()).map(({ content }: { content: string }) => content);
const noticesTo = async (name: CastName) => {
  const all = await read(name, { operator: "is", operand: "dm" });
  return all.filter((message: { sender_email: string }) =>
    message.sender_email.startsWith("notification-bot"),
  );
};

async function deactivate(userId: number): Promise<void> {
  await runStateChange(harness.state, (tx) => deactivateUser(tx, tx.state.get(users).find(userId) as User));
}

describe("at its time a scheduled message", () => {
  test("is sent like any other, and is no longer scheduled", async () => {
    const dev = await listen(harness.as("dev"));
    const gus = await listen(harness.as("gus"), { event_types: ["message"] });
    const message = await schedule("dev", { content: "Soup for @**Gus Pike**", read_by_sender: true });
    await early();
    expect(await list("dev")).toEqual([]);
    const [sent, ...others] = await inPlace("gus");
    expect(others).toEqual([]);
    expect(sent).toMatchObject({
      sender_id: id("dev"),
      subject: "lunch",
      content: "Soup for @**Gus Pike**",
      client: "parleytest",
      flags: ["mentioned"],
    });
    expect((await inPlace("dev"))[0].flags).toEqual(["read"]);
    const names = (await dev.heard()).map(({ type, op }) => [type, op]);
    expect(names).toEqual([
      ["scheduled_messages", "add"],
      // The sender follows a topic that they start.
      ["user_topic", undefined],
      ["scheduled_messages", "remove"],
      ["message", undefined],
    ]);
    expect(await gus.heard()).toMatchObject([{ type: "message", message: { id: sent.id } }]);
    const { unread_msgs } = await expectSuccess(harness.as("gus").post("/register"));
    const unread = unread_msgs.streams.flatMap(
      (each: { unread_message_ids: number[] }) => each.unread_message_ids,
    );
    expect(unread).toContain(sent.id);
    await early();
    expect(await inPlace()).toHaveLength(1);
    expect((await harness.as("dev").patch(`/scheduled_messages/${message}`, { content: "?" })).status).toBe(
      404,
    );
  });

  test("is a poll if its text says so, and a direct message if it is one", async () => {
    await schedule("dev", { content: "/poll Soup?\nleek\nbean" });
    await schedule("dev", { type: "direct", to: [id("gus")], content: `psst ${place}` });
    await early();
    expect((await inPlace())[0].submessages).toHaveLength(1);
    const direct = await read("gus", { operator: "dm", operand: [id("dev")] });
    expect(direct.at(-1)).toMatchObject({ content: `psst ${place}`, flags: [] });
  });

  test("is rendered as names are then", async () => {
    await schedule("dev", { content: "See #**plans of tomorrow**" });
    expect((await list("dev"))[0].rendered_content).not.toContain("narrow");
    await harness.channel("plans of tomorrow", ["dev", "ada"]);
    await early();
    const params = { anchor: "newest", num_before: 1, num_after: 0, narrow: [["channel", place]] };
    const { messages } = await expectSuccess(harness.as("ada").get("/messages", params));
    expect(messages[0].content).toContain("/#narrow/channel/");
  });

  test("is sent at its very second by a running server", async () => {
    const timers = withoutRegularLooks();
    const runner = await JobRunner.start(harness.services, jobsOf(harness.services));
    try {
      const late: number[] = [];
      for (let tries = 0; tries < 3; tries++) {
        const at = Math.ceil(Date.now() / 1000) + 1;
        const content = `number ${tries}`;
        await schedule("dev", { content, scheduled_delivery_timestamp: at });
        await expect.poll(contents, { interval: 20 }).toContain(content);
        late.push(Date.now() - at * 1000);
      }
      expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    } finally {
      timers.mockRestore();
      await runner.stop();
    }
  });

  test("that passed while no server ran is sent at the next start", async () => {
    await schedule("dev");
    await harness.services.database.query(
      sql`update graphile_worker._private_jobs set run_at = now() - interval '1 minute' where run_at > now()`,
    );
    expect(await contents()).toEqual([]);
    const runner = await JobRunner.start(harness.services, jobsOf(harness.services));
    await expect.poll(contents).toHaveLength(1);
    await runner.stop();
    expect(await list("dev")).toEqual([]);
  });
});

describe("a scheduled message is sent once", () => {
  test("by two nodes together", async () => {
    const { config, database } = harness.services;
    const options = { organizationId: harness.state.organizationId };
    const nodes = [
      await Node.start(config, database.connection, options),
      await Node.start(config, database.connection, options),
    ];
    const all = Array.from({ length: 30 }, (_, index) => `number ${index}`);
    for (const content of all) await schedule("dev", { content });
    await database.query(sql`update graphile_worker._private_jobs set run_at = now()`);
    await Promise.all(nodes.map(({ services }) => runJobs(services)));
    await harness.state.catchUp();
    expect((await contents()).sort()).toEqual([...all].sort());
    expect(await list("dev")).toEqual([]);
    await Promise.all(nodes.map((node) => node.stop()));
  });

  test("also if its node dies right after the commit", async () => {
    await schedule("dev");
    const dying = {
      ...deliverScheduledMessage,
      run: async (...args: Parameters<typeof deliverScheduledMessage.run>) => {
        await deliverScheduledMessage.run(...args);
        throw new Error("the node died");
      },
    };
    await runJobsEarly(harness.services, [dying]);
    expect(await waiting()).toBe(1);
    expect(await contents()).toEqual(["Soup"]);
    await early();
    expect(await contents()).toEqual(["Soup"]);
    expect(await waiting()).toBe(0);
  });

  test("and later, if the server is too busy or loses the database before the commit", async () => {
    const message = await schedule("dev");
    const snapshot = vi
      .spyOn(harness.services.database, "transaction")
      .mockRejectedValueOnce(new ServerBusy("busy"));
    await early();
    snapshot.mockRestore();
    expect(await contents()).toEqual([]);
    expect(await list("dev")).toMatchObject([{ scheduled_message_id: message, failed: false }]);
    await early();
    expect(await contents()).toEqual(["Soup"]);
  });

  test("with its old text or its new one, however an edit and the delivery meet", async () => {
    for (let round = 0; round < 8; round++) {
      const message = await schedule("dev", { content: `old ${round}` });
      const edit = () =>
        harness.as("dev").patch(`/scheduled_messages/${message}`, { content: `new ${round}` });
      const order = round % 2 === 0 ? [early, edit] : [edit, early];
      const [one, other] = await Promise.all(order.map((step) => step()));
      const answer = one ?? other;
      const expected = answer?.status === 200 ? `new ${round}` : `old ${round}`;
      expect((await contents()).filter((content: string) => content.endsWith(` ${round}`))).toEqual([
        expected,
      ]);
      expect(await list("dev")).toEqual([]);
    }
  });

  test("or never, if its sender puts it off while its delivery begins", async () => {
    const at = tomorrow();
    const messageId = await schedule("dev", { scheduled_delivery_timestamp: at });
    const { organizationId, database } = harness.state;
    const run = { signal: new AbortController().signal, dueAt: new Date() };
    const payload = { organizationId, messageId, deliverAt: at };
    const change = await database.connect();
    await change.query("begin");
    await change.query("update scheduled_messages set deliver_at = deliver_at + interval '1 hour'");
    const delivery = deliverScheduledMessage.run(harness.services, payload, run);
    await expect.poll(() => waitingSessions(database)).toHaveLength(1);
    await change.query("commit");
    await change.end();
    await delivery;
    expect(await contents()).toEqual([]);
    expect(await list("dev")).toMatchObject([{ failed: false }]);
  });

  test("or never, if it was deleted before", async () => {
    const message = await schedule("dev");
    await expectSuccess(harness.as("dev").delete(`/scheduled_messages/${message}`));
    await early();
    expect(await contents()).toEqual([]);
  });
});

describe("a message that may not be sent at its time", () => {
  const refusals: [string, () => Promise<unknown>, string, (() => Promise<unknown>)?][] = [
    [
      "in a channel that was archived",
      () => harness.as("ada").delete(`/streams/${place}`),
      "Not authorized to send to channel",
    ],
    [
      "in a channel where others may post now",
      () =>
        harness.as("ada").patch(`/streams/${place}`, {
          can_send_message_group: { new: { direct_members: [id("ada")], direct_subgroups: [] } },
        }),
      "You do not have permission to post in this channel.",
    ],
    [
      "in a channel that became private without the sender",
      async () => {
        await expectSuccess(
          harness.as("dev").delete("/users/me/subscriptions", { subscriptions: [`kitchen ${count}`] }),
        );
        await expectSuccess(harness.as("ada").patch(`/streams/${place}`, { is_private: true }));
      },
      "Not authorized to send to channel",
    ],
    [
      "in a channel that has only the empty topic now",
      () => harness.as("ada").patch(`/streams/${place}`, { topics_policy: "empty_topic_only" }),
      "Only the empty topic is allowed in this channel.",
    ],
  ];

  test.each(refusals)("%s is kept as failed, and its sender learns why", async (_, change, reason) => {
    const dev = await listen(harness.as("dev"), { event_types: ["scheduled_messages"] });
    const time = tomorrow();
    const message = await schedule("dev", { content: "secret soup", scheduled_delivery_timestamp: time });
    const before = await noticesTo("dev");
    await change();
    await early();
    const [record] = await list("dev");
    expect(record).toMatchObject({ scheduled_message_id: message, failed: true, content: "secret soup" });
    expect(await dev.heard()).toMatchObject([{ op: "add" }, { op: "update", scheduled_message: record }]);
    const [notice, ...more] = (await noticesTo("dev")).slice(before.length);
    expect(more).toEqual([]);
    expect(notice.content).toContain(reason);
    expect(notice.content).toContain(`<time:${new Date(time * 1000).toISOString().replace(".000", "")}>`);
    expect(notice.flags).toEqual([]);
    expect(await waiting()).toBe(0);
    await early();
    expect(await noticesTo("dev")).toHaveLength(before.length + 1);
  });

  test("fails also for somebody who was deactivated, whose name the notice has", async () => {
    const person = { email: `faye${count}@demo.test`, password: "a good start", full_name: `Faye ${count}` };
    const { user_id: faye } = await expectSuccess(harness.as("ada").post("/users", person));
    await schedule("dev", { type: "direct", to: [faye], content: "psst" });
    await deactivate(faye);
    await early();
    expect(await list("dev")).toMatchObject([{ failed: true }]);
    expect((await noticesTo("dev")).at(-1).content).toContain("no longer uses this server");
  });

  test("is sent once it has a new time and may be sent again", async () => {
    const message = await schedule("dev");
    await harness.as("ada").delete(`/streams/${place}`);
    await early();
    const patch = (params: object) =>
      harness.as("dev").patch(`/scheduled_messages/${message}`, { ...params });
    expect(await refusal(patch({ content: "hello" }))).toBe("Scheduled delivery time must be in the future.");
    await expectSuccess(patch({ scheduled_delivery_timestamp: tomorrow() + 60 }));
    expect(await list("dev")).toMatchObject([{ failed: false, content: "Soup" }]);
    await expectSuccess(harness.as("ada").patch(`/streams/${place}`, { is_archived: false }));
    await early();
    expect(await list("dev")).toEqual([]);
    expect(await contents()).toContain("Soup");
  });

  test("of a bot fails with the event alone", async () => {
    const echo = await listen(harness.as("echo"), { event_types: ["scheduled_messages", "message"] });
    await schedule("echo");
    await harness.as("ada").delete(`/streams/${place}`);
    await early();
    expect((await echo.heard()).map(({ type, op }) => [type, op])).toContainEqual([
      "scheduled_messages",
      "update",
    ]);
    expect(await noticesTo("echo")).toEqual([]);
    expect(await list("echo")).toMatchObject([{ failed: true }]);
  });

  test("because it is more than a day late is kept as failed", async () => {
    const message = await schedule("dev");
    const late = Math.floor(Date.now() / 1000) - 25 * 3600;
    await harness.services.database.query(sql`
      update scheduled_messages set deliver_at = to_timestamp(${late}) where id = ${message}`);
    await harness.services.database.query(sql`
      update graphile_worker._private_jobs set payload = jsonb_set(payload::jsonb, '{deliverAt}', to_jsonb(${late}::int))::json`);
    await early();
    expect(await contents()).toEqual([]);
    expect(await list("dev")).toMatchObject([{ failed: true }]);
    expect((await noticesTo("dev")).at(-1).content).toContain("The server could not send it in time.");
  });

  test("because its sender was deactivated is kept as failed, without a notice", async () => {
    const message = await schedule("elin");
    const { database } = harness.services;
    const notices = async () =>
      (await database.query(sql`select from messages where content like '%you scheduled%'`)).length;
    const before = await notices();
    await deactivate(id("elin"));
    await early();
    expect(await contents()).toEqual([]);
    expect(await notices()).toBe(before);
    const rows = await database.query(
      sql`select is_failed as "isFailed" from scheduled_messages where id = ${message}`,
    );
    expect(rows).toEqual([{ isFailed: true }]);
  });
});
