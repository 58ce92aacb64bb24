import { expect, test } from "vitest";
import { loadNats } from "./nats-module.ts";

test("without its package, NATS is refused with a message that says what to install", async () => {
  await expect(loadNats("@nats-io/not-installed")).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringMatching(
      /^PARLEY_NATS_URL is set, but the package @nats-io\/transport-node is not installed\. Run .*\.$/,
    ),
  });
  await expect(loadNats()).resolves.toHaveProperty("connect");
});
