import { expect, test } from "vitest";
import { loadNats } from "./nats-module.ts";

test("without its package NATS can't be used, which is said in one sentence", async () => {
  await expect(loadNats("@nats-io/not-installed")).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringMatching(
      /^PARLEY_NATS_URL is set, but the package @nats-io\/transport-node is not installed: run .*\.$/,
    ),
  });
  await expect(loadNats()).resolves.toHaveProperty("connect");
});
