import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { authorization, toys } from "../../../test/harness/toy-api.ts";
import { startToyServer } from "../../../test/harness/toy-server.ts";
import { createHttp, listen } from "./app.ts";
import { HttpStats } from "./http-stats.ts";

test("refusals by the rate limit are counted for calls, unknown paths, pages and health alike", async () => {
  const stats = new HttpStats();
  const rateLimits = { windowSeconds: 3600, perUser: 1, perAddress: 2 };
  const { call } = await startToyServer({ rateLimits, stats });
  // The first request counts against the address too, since its host name is new.
  for (const as of ["mia", "mia"] as const) await call("GET", "/api/v1/toys/1", { as });
  expect(stats.rateLimited).toBe(1);
  await call("GET", "/api/v1/nothing");
  expect(stats.rateLimited).toBe(1);
  await call("GET", "/api/v1/nothing");
  expect(stats.rateLimited).toBe(2);
  await call("GET", "/no-page");
  expect(stats.rateLimited).toBe(3);
  for (let count = 0; count < 21; count++) await call("GET", "/health");
  expect(stats.rateLimited).toBe(4);
  expect(stats.unavailable).toBe(0);
  expect(stats.unknown.byClass[4]).toBe(2);
});

test("answers with 503 are counted", async () => {
  const stats = new HttpStats();
  const { call } = await startToyServer({
    stats,
    whyNotReady: async () => "database",
  });
  expect((await call("GET", "/ready")).statusCode).toBe(503);
  expect(stats.unavailable).toBe(1);
});

test("memory of arriving bodies and open connections are shown", async () => {
  const stats = new HttpStats();
  const app = await createHttp(toys({ stats }).options);
  onTestFinished(() => app.close());
  const { port } = new URL(await listen(app, "127.0.0.1", 0));
  expect(await stats.gauges()).toEqual({ heldPolls: 0, connections: 0, arrivingBytes: 0 });
  const socket = net.connect(Number(port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const head = ["POST /api/v1/toys HTTP/1.1", "Host: toy.test", `Authorization: ${authorization("mia")}`];
  const body = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 1000"];
  socket.write([...head, ...body, "", "to=x&content="].join("\r\n"));
  await expect
    .poll(() => stats.gauges())
    .toSatisfy(({ connections, arrivingBytes }) => connections === 1 && arrivingBytes > 0);
  socket.destroy();
  await expect.poll(() => stats.gauges()).toEqual({ heldPolls: 0, connections: 0, arrivingBytes: 0 });
});
