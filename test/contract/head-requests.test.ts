// Asks for the head alone of every endpoint that a GET reads.
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../api/index.ts";
import { curlSample, sampleRequest } from "../../server/integrations/api-reference/samples.ts";
import { expectSuccess } from "../harness/answers.ts";
import { HOST } from "../harness/harness.ts";
import { sentByCurl } from "../harness/sample-requests.ts";
import { SampleWorld } from "./sample-world.ts";

let world: SampleWorld;
beforeAll(async () => {
  world = await SampleWorld.open();
}, 60_000);
afterAll(() => world.close());

const read = endpoints.filter(({ method }) => method === "GET");
const whole = read.filter(({ streams }) => !streams);
const held = read.filter(({ streams }) => streams);

/** What differs between any two requests. */
const OWN = ["x-request-id", "date", "connection", "keep-alive"];

const headOf = ({ statusCode, headers }: { statusCode: number; headers: object }) => ({
  statusCode,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name))),
});

/** The digits of a time with a fraction are not always as many. */
const DIGITS = 4;

test.each(whole.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (name, endpoint) => {
  const things = { ...world.own, ...(await world.furnishPassing("ada")) };
  const ids = await world.idsFor(endpoint, "ada", things);
  const sent = sentByCurl(curlSample(sampleRequest(endpoint, ids)));
  const url = `/api/v1${sent.path}?${new URLSearchParams(sent.fields)}`;
  const caller = name === "getBotStorage" ? "echo" : "ada";
  for (const headers of [{ host: HOST, ...world.as(caller) }, { host: HOST }]) {
    const ask = (method: "GET" | "HEAD") => world.harness.app.inject({ method, url, headers });
    const head = headOf(await ask("HEAD"));
    const got = headOf(await ask("GET"));
    const lengths = [head, got].map((each) => Number(each.headers["content-length"]));
    expect(Math.abs((lengths[0] as number) - (lengths[1] as number))).toBeLessThanOrEqual(DIGITS);
    got.headers["content-length"] = head.headers["content-length"];
    expect(head).toEqual(got);
    expect(head.statusCode).toBeLessThan(500);
  }
});

test("a poll has no head before there are events, which a HEAD must not take", async () => {
  expect(held.map(({ name }) => name)).toEqual(["getEvents"]);
  const ada = world.harness.as("ada");
  const { queue_id } = (await ada.post("/register", { event_types: ["message"] })).body;
  const message = { type: "direct", to: [world.harness.user("ada").id], content: "one" };
  await expectSuccess(ada.post("/messages", message));
  const headers = { host: HOST, ...world.as("ada") };
  for (const query of [`?queue_id=${queue_id}&last_event_id=1000000000`, `?queue_id=${queue_id}`, ""]) {
    const { statusCode, headers: head } = await world.harness.app.inject({
      method: "HEAD",
      url: `/api/v1/events${query}`,
      headers,
    });
    expect([statusCode, head.allow]).toEqual([405, "DELETE, GET"]);
  }
  const { body } = await ada.get("/events", { queue_id, last_event_id: -1, dont_block: true });
  expect(body.events).toHaveLength(1);
});
