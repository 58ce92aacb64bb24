import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { api, build, call, signIn, start, temporaryDirectory, usedDirectory, waitUntil } from "./parley.ts";

beforeAll(build);

const TEXT = "This is to arrive once.";

test("a copy of a data directory delivers nothing that the original does, until it takes its place", async () => {
  const original = await usedDirectory("demo");
  const copy = path.join(temporaryDirectory(), "staging");
  const server = await start(["demo"], { env: { PARLEY_DATA_DIR: original } });
  const key = await signIn(server);
  const { body: channel } = await api(server, "GET", "/get_stream_id", { stream: "general" }, key);
  const deliverAt = Math.floor(Date.now() / 1000) + 6;
  const { body } = await api(
    server,
    "POST",
    "/scheduled_messages",
    {
      type: "stream",
      to: channel.stream_id,
      topic: "later",
      content: TEXT,
      scheduled_delivery_timestamp: deliverAt,
    },
    key,
  );
  expect(body).toMatchObject({ result: "success" });
  await server.stop();
  execFileSync("cp", ["-a", original, copy]);
  const unstarted = path.join(temporaryDirectory(), "unstarted");
  execFileSync("cp", ["-a", original, unstarted]);
  const target = path.join(temporaryDirectory(), "backups");
  const backup = await call(["backup", target], { env: { PARLEY_DATA_DIR: unstarted } });
  expect(backup).toMatchObject({ code: 1, stderr: expect.stringContaining("is a copy of an installation") });
  await waitUntil(() => Date.now() > deliverAt * 1000, "the message is due");

  const staging = await start(["demo"], { env: { PARLEY_DATA_DIR: copy } });
  expect(staging.stdout()).toContain(`before ${path.join(copy, "copy")} is deleted`);
  expect(staging.stderr()).toContain(`is a copy of ${original}.`);
  const isWaiting = async (at: { url: string }) => {
    const { body } = await api(at, "GET", "/scheduled_messages", {}, key);
    return JSON.stringify(body.scheduled_messages).includes(TEXT);
  };
  expect(await isWaiting(staging)).toBe(true);
  await staging.stop();

  const again = await start(["demo"], { env: { PARLEY_DATA_DIR: original } });
  expect(again.stdout()).not.toContain("a copy:");
  await waitUntil(async () => !(await isWaiting(again)), "the original delivers it");
  await again.stop();

  rmSync(path.join(copy, "copy"));
  const moved = await start(["demo"], { env: { PARLEY_DATA_DIR: copy } });
  expect(moved.stdout()).not.toContain("a copy:");
  await waitUntil(async () => !(await isWaiting(moved)), "what took its place delivers it");
  await moved.stop();
});
