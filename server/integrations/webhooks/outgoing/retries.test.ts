// Calls that are made again, by the same node or another, and calls that wait.
import type http from "node:http";
import { describe, expect, test, vi } from "vitest";
import { runJobs, runJobsEarly } from "../../../../test/harness/jobs.ts";
import { type Call, says, useOutgoingWebhooks } from "../../../../test/harness/outgoing-webhooks.ts";
import { openServices } from "../../../app.ts";
import { sql } from "../../../platform/db/sql.ts";
import { OutboundError } from "../../../platform/outbound-http/outbound-http.ts";
import { forgetCalls } from "./forget-deliveries.ts";

const webhooks = useOutgoingWebhooks();
const { fails, makeBot, ask, deliver, deliverEarly, saidIn, noticesAbout, waiting } = webhooks;

describe("a program that fails for a while", () => {
  test("is called again, and its reply is posted once", async () => {
    const place = await makeBot();
    webhooks.answer = fails(503);
    await ask(place);
    await deliver();
    expect(await waiting()).toBe(1);
    expect(await saidIn(place)).toEqual([]);
    webhooks.answer = says({ content: "Here I am." });
    await deliverEarly();
    await deliverEarly();
    expect(webhooks.calls).toHaveLength(2);
    expect(await saidIn(place)).toMatchObject([{ content: "Here I am." }]);
    expect(await noticesAbout(place)).toEqual([]);
  });

  test("is given up after the fourth try, with one notice in each place", async () => {
    const place = await makeBot();
    webhooks.answer = (_, response) => void response.destroy();
    await ask(place);
    await deliver();
    for (let tries = 2; tries <= 6; tries++) await deliverEarly();
    expect(webhooks.calls).toHaveLength(4);
    expect(await waiting()).toBe(0);
    expect(await saidIn(place)).toMatchObject([{ content: expect.stringContaining("could not be reached") }]);
    expect(await noticesAbout(place)).toHaveLength(1);
  });

  test("and answers two tries at last posts one reply, that of the later try", async () => {
    const place = await makeBot();
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    webhooks.answer = async (_, response) => {
      const number = webhooks.calls.length;
      if (number === 1) await isReleased;
      response.end(JSON.stringify({ content: `Answer ${number}` }));
    };
    await ask(place);
    await runJobs(webhooks.harness.services);
    // As if the node were taken for dead while its call is under way.
    await runJobsEarly(webhooks.harness.services);
    await expect.poll(() => saidIn(place)).toHaveLength(1);
    release();
    await webhooks.harness.services.outbound.settled();
    expect(await saidIn(place)).toMatchObject([{ content: "Answer 2" }]);
    expect(await waiting()).toBe(0);
  });
});

/** An answer that is held back until `release` is called. */
function heldAnswer() {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = async (_: Call, response: http.ServerResponse) => {
    await isReleased;
    response.end(JSON.stringify({ content: "At last." }));
  };
  return { hold, release };
}

describe("a call that this server can't make now", () => {
  test("waits for room as often as needed, which counts as no try of the program", async () => {
    const place = await makeBot();
    webhooks.answer = says({ content: "Here I am." });
    await ask(place);
    const { outbound } = webhooks.harness.services;
    const full = vi.spyOn(outbound, "request").mockImplementation(() => {
      throw new OutboundError("busy");
    });
    for (let tries = 1; tries <= 6; tries++) await deliverEarly();
    full.mockRestore();
    expect(await saidIn(place)).toEqual([]);
    await deliverEarly();
    expect(webhooks.calls).toHaveLength(1);
    expect(await saidIn(place)).toMatchObject([{ content: "Here I am." }]);
    expect(await noticesAbout(place)).toEqual([]);
  });

  test("because the server stops is made by another one, though it was the last try", async () => {
    const place = await makeBot();
    webhooks.answer = fails(503);
    await ask(place);
    for (let tries = 1; tries <= 3; tries++) await deliverEarly();
    const { config, log, database } = webhooks.harness.services;
    const other = await openServices(config, log, database.connection);
    try {
      const { hold, release } = heldAnswer();
      webhooks.answer = hold;
      await runJobsEarly(other);
      await expect.poll(() => webhooks.calls.length).toBe(4);
      await other.outbound.stop();
      release();
    } finally {
      await other.database.close();
    }
    expect(await saidIn(place)).toEqual([]);
    expect(await noticesAbout(place)).toEqual([]);
    webhooks.answer = says({ content: "Here I am." });
    await deliverEarly();
    expect(await saidIn(place)).toMatchObject([{ content: "Here I am." }]);
  });
});

test("a slow program holds up no other bot, however often it is called", async () => {
  const [slow, quick] = [await makeBot(), await makeBot()];
  const { hold, release } = heldAnswer();
  webhooks.answer = (call, response) =>
    call.body.includes(slow.bot.fullName) ? hold(call, response) : says({ content: "Soup." })(call, response);
  for (let count = 1; count <= 10; count++) await ask(slow);
  await runJobs(webhooks.harness.services);
  await ask(quick);
  await runJobs(webhooks.harness.services);
  try {
    await expect.poll(() => saidIn(quick)).toMatchObject([{ content: "Soup." }]);
    expect(await saidIn(slow)).toEqual([]);
  } finally {
    release();
  }
  // A call that has not ended when jobs run early is taken for lost with its node, and made again.
  await webhooks.harness.services.outbound.settled();
  for (let left = 10; left > 0; left = await waiting()) await deliverEarly();
  expect(await saidIn(slow)).toHaveLength(10);
  expect(webhooks.calls).toHaveLength(11);
});

test("a delivery whose job has failed for good is deleted after two days, and a younger one is not", async () => {
  const place = await makeBot();
  await ask(place);
  await ask(place);
  const { database } = webhooks.harness.services;
  // No job is left that could make or drop the calls.
  await database.query(sql`
    update graphile_worker._private_jobs set attempts = max_attempts where key like 'call_bot:%'`);
  await deliver();
  expect(webhooks.calls).toEqual([]);
  const ids = async () =>
    (
      await database.query<{ id: number }>(
        sql`select id from webhook_deliveries where bot_id = ${place.bot.id} order by id`,
      )
    ).map(({ id }) => id);
  const age = (id: number | undefined, hours: number) =>
    database.query(sql`
      update webhook_deliveries set created_at = now() - make_interval(hours => ${hours}::int)
      where id = ${id} and bot_id = ${place.bot.id}`);
  const [old, young] = await ids();
  await age(old, 49);
  await age(young, 47);
  const run = { signal: new AbortController().signal, dueAt: new Date() };
  await forgetCalls.run(webhooks.harness.services, {}, run);
  expect(await ids()).toEqual([young]);
});
