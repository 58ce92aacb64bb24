import { describe, expect, test } from "vitest";
import { MAX_BOT_STORAGE_KEYS, MAX_BOT_STORAGE_LENGTH } from "../../../api/limits.ts";
import { refusal } from "../../../test/harness/answers.ts";
import { useBots } from "../../../test/harness/bots.ts";
import { sql } from "../../platform/db/sql.ts";

const ownBots = useBots();
const { make, asBot } = ownBots;

describe("a bot's storage", () => {
  test("keeps texts for that bot alone", async () => {
    const [one, other] = [await make("dev"), await make("dev")];
    const put = await asBot(one, "PUT", "/bot_storage", { storage: { a: "1", b: "" } });
    expect(put.body).toMatchObject({ result: "success" });
    await asBot(one, "PUT", "/bot_storage", { storage: { a: "2" } });
    expect((await asBot(one, "GET", "/bot_storage")).body.storage).toEqual({ a: "2", b: "" });
    expect((await asBot(one, "GET", "/bot_storage", { keys: ["a"] })).body.storage).toEqual({ a: "2" });
    expect((await asBot(other, "GET", "/bot_storage")).body.storage).toEqual({});
    const missing = await asBot(one, "GET", "/bot_storage", { keys: ["a", "c"] });
    expect([missing.status, missing.body.msg]).toEqual([400, "Key does not exist."]);
    expect((await asBot(one, "DELETE", "/bot_storage", { keys: ["c", "a"] })).status).toBe(400);
    expect((await asBot(one, "DELETE", "/bot_storage", { keys: ["a"] })).status).toBe(200);
    expect((await asBot(one, "GET", "/bot_storage")).body.storage).toEqual({ b: "" });
    expect((await asBot(one, "DELETE", "/bot_storage")).status).toBe(200);
    expect((await asBot(one, "GET", "/bot_storage")).body.storage).toEqual({});
  });

  test("is bounded, and people have none", async () => {
    const bot = await make("dev");
    const { organizationId, database } = ownBots.harness.state;
    await database.query(sql`
      insert into bot_storage (organization_id, user_id, key, value)
      select ${organizationId}, ${bot.user_id}, 'key' || n, '' from generate_series(1, ${MAX_BOT_STORAGE_KEYS}) n`);
    const one = await asBot(bot, "PUT", "/bot_storage", { storage: { another: "" } });
    expect(one.body.msg).toContain("no room");
    expect((await asBot(bot, "PUT", "/bot_storage", { storage: { key1: "x" } })).status).toBe(200);
    await database.query(sql`
      update bot_storage set value = repeat('x', ${MAX_BOT_STORAGE_LENGTH}) where user_id = ${bot.user_id} and key = 'key2'`);
    const two = await asBot(bot, "PUT", "/bot_storage", { storage: { key1: "y" } });
    expect(two.body.msg).toContain("no room");
    expect((await asBot(bot, "GET", "/bot_storage", { keys: ["key1"] })).body.storage).toEqual({ key1: "x" });
    expect(await refusal(ownBots.harness.as("dev").get("/bot_storage"))).toContain("bots only");
    expect(await refusal(ownBots.harness.as("dev").put("/bot_storage", { storage: {} }))).toContain(
      "bots only",
    );
    expect(await refusal(ownBots.harness.as("dev").delete("/bot_storage"))).toContain("bots only");
  });
});
