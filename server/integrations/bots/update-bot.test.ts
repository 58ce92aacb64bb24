import { describe, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type Made, outgoing, useBots } from "../../../test/harness/bots.ts";

const ownBots = useBots();
const { make, userOf, asBot } = ownBots;

describe("a bot is changed", () => {
  test("by its owner and by administrators, and by nobody else", async () => {
    const bot = await make("dev");
    const path = `/bots/${bot.user_id}`;
    await expectSuccess(ownBots.harness.as("dev").patch(path, { full_name: "First Name" }));
    await expectSuccess(ownBots.harness.as("ben").patch(path, { full_name: "Second Name" }));
    expect(userOf(bot.user_id)?.fullName).toBe("Second Name");
    expect(await refusal(ownBots.harness.as("elin").patch(path, { full_name: "Third" }))).toContain(
      "permission",
    );
    expect(await refusal(ownBots.harness.as("cleo").delete(path))).toContain("permission");
    expect(await refusal(ownBots.harness.as("elin").post(`${path}/api_key/regenerate`))).toContain(
      "permission",
    );
    expect(await refusal(ownBots.harness.as("zed").patch(path, { full_name: "Fourth" }))).toContain(
      "No such bot",
    );
    expect(userOf(bot.user_id)?.fullName).toBe("Second Name");
  });

  test("in its service, its defaults and its settings", async () => {
    const bot = await make("dev", { ...outgoing, config_data: { city: "Oslo" } });
    const changed = await expectSuccess(
      ownBots.harness.as("dev").patch(`/bots/${bot.user_id}`, {
        service_payload_url: "https://other.example.com/",
        service_interface: 2,
        config_data: { lake: "Mjøsa" },
        default_events_register_stream: "general",
        default_all_public_streams: true,
      }),
    );
    expect(changed).toMatchObject({
      service_payload_url: "https://other.example.com/",
      service_interface: 2,
      config_data: { city: "Oslo", lake: "Mjøsa" },
      default_events_register_stream: "general",
      default_all_public_streams: true,
      bot_owner: "dev@demo.test",
    });
    const cleared = { default_events_register_stream: "" };
    const { default_events_register_stream } = await expectSuccess(
      ownBots.harness.as("dev").patch(`/bots/${bot.user_id}`, cleared),
    );
    expect(default_events_register_stream).toBeNull();
    const generic = await make("dev");
    const url = { service_payload_url: "https://other.example.com/" };
    expect(await refusal(ownBots.harness.as("dev").patch(`/bots/${generic.user_id}`, url))).toContain(
      "Only an outgoing",
    );
  });

  test("in its role by administrators alone, and an owner's role by owners alone", async () => {
    const bot = await make("dev");
    const path = `/bots/${bot.user_id}`;
    const asked = { role: roles.administrator };
    expect(await refusal(ownBots.harness.as("dev").patch(path, asked))).toContain("administrator");
    expect(await refusal(ownBots.harness.as("ben").patch(path, { role: roles.owner }))).toContain("owner");
    await expectSuccess(ownBots.harness.as("ben").patch(path, asked));
    expect(userOf(bot.user_id)?.role).toBe(roles.administrator);
    const given = { bot_owner_id: ownBots.harness.user("elin").id };
    expect(await refusal(ownBots.harness.as("dev").patch(path, given))).toContain("administrator");
    await expectSuccess(ownBots.harness.as("ada").patch(path, { role: roles.owner }));
    expect(await refusal(ownBots.harness.as("ben").patch(path, { role: roles.member }))).toContain("owner");
    expect(await refusal(ownBots.harness.as("ben").post(`${path}/api_key/regenerate`))).toContain("owner");
    const { realm_bots } = await expectSuccess(
      ownBots.harness.as("ben").post("/register", { event_types: ["realm_bot"] }),
    );
    expect(realm_bots.map(({ user_id }: Made) => user_id)).not.toContain(bot.user_id);
  });

  test("in its role together with an owner who gets a lower one", async () => {
    const setRole = (role: number) =>
      expectSuccess(ownBots.harness.as("ada").patch(`/users/${ownBots.harness.user("cleo").id}`, { role }));
    await setRole(roles.administrator);
    const [high, plain] = [await make("cleo"), await make("cleo")];
    await expectSuccess(
      ownBots.harness.as("cleo").patch(`/bots/${high.user_id}`, { role: roles.administrator }),
    );
    await setRole(roles.moderator);
    expect(userOf(high.user_id)?.role).toBe(roles.moderator);
    expect(userOf(plain.user_id)?.role).toBe(roles.member);
    await setRole(roles.administrator);
    expect(userOf(high.user_id)?.role).toBe(roles.moderator);
    await setRole(roles.moderator);
  });

  test("in its owner, who must be an active person and no guest", async () => {
    const bot = await make("dev");
    const path = `/bots/${bot.user_id}`;
    const give = (id: number) => ownBots.harness.as("dev").patch(path, { bot_owner_id: id });
    expect(await refusal(give(9_999_999))).toContain("no such user");
    expect(await refusal(give(ownBots.harness.user("echo").id))).toContain("can't own other bots");
    expect(await refusal(give(ownBots.harness.user("gus").id))).toContain("permission");
    expect(await refusal(give(ownBots.harness.user("zed").id))).toContain("no such user");
    await expectSuccess(give(ownBots.harness.user("elin").id));
    expect(userOf(bot.user_id)?.botOwnerId).toBe(ownBots.harness.user("elin").id);
    expect(await refusal(give(ownBots.harness.user("dev").id))).toContain("permission");
  });

  test("in its key, so that the old one no longer works", async () => {
    const bot = await make("dev");
    const path = `/bots/${bot.user_id}/api_key/regenerate`;
    const { api_key } = await expectSuccess(ownBots.harness.as("dev").post(path));
    expect((await asBot(bot, "GET", "/users/me")).status).toBe(401);
    expect((await asBot({ ...bot, api_key }, "GET", "/users/me")).status).toBe(200);
  });
});
