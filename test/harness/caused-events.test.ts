import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../api/endpoint.ts";
import { getEvents } from "../../api/integrations/real-time.ts";
import { sendMessage } from "../../api/messages/messages.ts";
import { expectSuccess, sayIn } from "./answers.ts";
import { watchCall } from "./caused-events.ts";
import { isWholeRun, unseenEvents } from "./caused-events-setup.ts";
import { type CastName, createHarness, type Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const headers = (name: CastName) => {
  const { email, apiKey } = harness.user(name);
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  return { host: "demo.test", authorization, "content-type": "application/x-www-form-urlencoded" };
};
const post = (content: string) =>
  harness.app.inject({
    method: "POST",
    url: "/api/v1/messages",
    headers: { ...headers("ada"), "content-type": "application/json" },
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

test("events beside a request of a browser are no one's, and its polls count for nothing", async () => {
  await harness.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = harness.app.server.address() as AddressInfo;
  const { queue_id } = await expectSuccess(harness.as("dev").post("/register", { event_types: ["realm"] }));
  const begin = async (method: string, path: string) => {
    const arrived = once(harness.app.server, "request");
    const browser = request({
      host: "127.0.0.1",
      port,
      path: `/api/v1${path}`,
      method,
      headers: headers("dev"),
    });
    browser.on("error", () => {});
    // A body of a GET has no frame, so what follows its head is not valid HTTP and would end the poll.
    if (method === "POST") browser.write("t");
    else browser.end();
    const [, response] = await arrived;
    const left = once(response, "close");
    return async () => {
      browser.destroy();
      await left;
    };
  };
  const endTyping = await begin("POST", "/typing");
  await watchCall(harness.app, silent, () => post("Beside a browser."));
  await endTyping();
  const endPoll = await begin("GET", `/events?queue_id=${queue_id}&last_event_id=-1`);
  await expect(watchCall(harness.app, silent, () => post("Beside a poll."))).rejects.toThrow(
    "caused the event message",
  );
  await endPoll();
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
