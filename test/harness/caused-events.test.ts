import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../api/endpoint.ts";
import { getEvents } from "../../api/integrations/real-time.ts";
import { sendMessage } from "../../api/messages/messages.ts";
import { sayIn } from "./answers.ts";
import { watchCall } from "./caused-events.ts";
import { isWholeRun, unseenEvents } from "./caused-events-setup.ts";
import { createHarness, type Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const post = (content: string) =>
  harness.app.inject({
    method: "POST",
    url: "/api/v1/messages",
    headers: {
      host: "demo.test",
      authorization: `Basic ${Buffer.from(`${harness.user("ada").email}:${harness.user("ada").apiKey}`).toString("base64")}`,
    },
    payload: { type: "channel", to: "kitchen", topic: "lunch", content },
  });
const silent = { ...sendMessage, emits: ["user_topic"] } as unknown as Endpoint;

test("an event that an endpoint causes and does not declare fails the test that made the call", async () => {
  const call = () => post("Soup?");
  expect((await watchCall(harness.app, sendMessage as unknown as Endpoint, call)).statusCode).toBe(200);
  await expect(watchCall(harness.app, silent, call)).rejects.toThrow(
    "sendMessage caused the event message, which is not in its emits",
  );
});

test("events of calls that run at once are no one's, also while a poll is held", async () => {
  const both = [1, 2].map((number) => watchCall(harness.app, silent, () => post(`At once ${number}.`)));
  expect((await Promise.all(both)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  let end = () => {};
  const held = watchCall(
    harness.app,
    getEvents as unknown as Endpoint,
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  await expect(watchCall(harness.app, silent, () => post("Alone."))).rejects.toThrow(
    "caused the event message",
  );
  end();
  await held;
  await say("ada", "kitchen");
});

describe("at the end of a run", () => {
  test("every declared event must have been seen", () => {
    const all = unseenEvents([]);
    expect(all).toContain("sendMessage message");
    expect(unseenEvents(all)).toEqual([]);
    expect(unseenEvents(all.filter((line) => line !== "sendMessage message"))).toEqual([
      "sendMessage message",
    ]);
  });

  test.each([
    [["run"], true],
    [["run", "test/replay"], false],
    [["run", "-t", "a guest"], false],
    [[], false],
  ])("that is of all tests: %j", (words, isWhole) => {
    expect(isWholeRun(["node", "vitest", ...words])).toBe(isWhole);
  });
});
