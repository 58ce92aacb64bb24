/** Mails about missed messages: a server that mails, a channel for each test, and what people do. */
import type { Email } from "postal-mime";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Channel } from "../../server/channels/channel.ts";
import { followAll } from "../../server/notifications/email/follower.ts";
import { mailMissedMessages } from "../../server/notifications/email/mail-missed.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { expectSuccess } from "./answers.ts";
import { type CastName, createHarness, type Harness } from "./harness.ts";
import { runJobs } from "./jobs.ts";
import { type MailServer, mailSettings, startMailServer } from "./mail-server.ts";

/** Starts the servers before the tests of a file, and ends them after. */
export function useMissedMail() {
  let mailServer: MailServer;
  let harness: Harness;
  let channel: Channel;
  let count = 0;
  beforeAll(async () => {
    mailServer = await startMailServer();
    harness = await createHarness(mailSettings(mailServer));
  });
  afterAll(async () => {
    await harness.close();
    await mailServer.close();
  });
  beforeEach(async () => {
    channel = await harness.channel(`kitchen ${++count}`, ["ada", "ben", "dev", "elin"]);
  });
  afterEach(async () => {
    await deliver();
    await query(sql`delete from missed_messages`);
  });

  const query = <Row>(statement: ReturnType<typeof sql>) =>
    harness.services.database.query<Row & Record<string, unknown>>(statement);
  const id = (name: CastName) => harness.user(name).id;
  const say = async (name: CastName, content: string, topic = "lunch"): Promise<number> =>
    (
      await expectSuccess(
        harness.as(name).post("/messages", { type: "channel", to: channel.id, topic, content }),
      )
    ).id;
  const tell = async (name: CastName, to: CastName[], content: string): Promise<number> =>
    (await expectSuccess(harness.as(name).post("/messages", { type: "direct", to: to.map(id), content }))).id;
  const set = (name: CastName, settings: Record<string, unknown>) =>
    expectSuccess(harness.as(name).patch("/settings", settings));
  const choose = (name: CastName, property: string, value: unknown) =>
    expectSuccess(
      harness.as(name).post("/users/me/subscriptions/properties", {
        subscription_data: [{ stream_id: channel.id, property, value }],
      }),
    );
  const policy = (name: CastName, topic: string, visibility: number) =>
    expectSuccess(
      harness.as(name).post("/user_topics", { stream_id: channel.id, topic, visibility_policy: visibility }),
    );
  const missed = () => query<{ user: number }>(sql`select user_id as user from missed_messages order by 1`);
  const run = () => ({ signal: new AbortController().signal, dueAt: new Date() });

  /** All that is to be mailed by now, as if everybody had waited long enough. */
  async function deliver(): Promise<Email[]> {
    await followAll(harness.state);
    await query(sql`update missed_messages set due_at = now()`);
    await mailMissedMessages.run(harness.services, {}, run());
    await runJobs(harness.services);
    return mailServer.received();
  }

  const to = (mails: readonly Email[]) => mails.map((mail) => mail.to?.[0]?.address).sort();

  return {
    ...{ query, id, say, tell, set, choose, policy, missed, run, deliver, to },
    get harness() {
      return harness;
    },
    get mailServer() {
      return mailServer;
    },
    /** The channel of the running test: ada, ben, dev and elin are in it. */
    get channel() {
      return channel;
    },
  };
}
