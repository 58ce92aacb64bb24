import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiError } from "../../../api/errors.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { GENERIC_BOT, type User } from "../../people/user.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { createBot, parseShortName } from "./create-bot.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

function create(shortName: string): Promise<User> {
  const bot = { shortName, fullName: "Build Bot", owner: harness.user("dev").user };
  return runStateChange(harness.state, (tx) => createBot(tx, harness.services.keyring, bot));
}

test("a bot has an address of its organization and an owner, and everyone learns of it", async () => {
  const elin = await listen(harness.as("elin"), { event_types: ["realm_user"] });
  const bot = await create("ci");
  expect(bot).toMatchObject({ botType: GENERIC_BOT, botOwnerId: harness.user("dev").user.id });
  expect(bot.email).toMatch(/^ci-bot@[a-z.]+$/);
  expect(await elin.heard()).toMatchObject([
    { op: "add", person: { email: bot.email, is_bot: true, full_name: "Build Bot" } },
  ]);
});

test("an address that is in use is refused", async () => {
  await create("twice");
  await expect(create("Twice")).rejects.toThrow("already in use");
});

test.each(["", " ", "a b", "a@b", "-a", "a-", "a..b", "é", '"a"', "a".repeat(61)])(
  "'%s' makes no address",
  (shortName) => {
    expect(() => parseShortName(shortName)).toThrow(ApiError);
  },
);
