import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "dev", "elin", "gus"]);
  await group("cooks", ["dev"]);
  await group("judges", ["dev", "elin"]);
});
afterAll(() => harness.close());

/** Creates a group of dev's that only these people may mention. */
async function group(name: string, allowed: CastName[]): Promise<void> {
  const { status } = await harness.as("ada").post("/user_groups/create", {
    name,
    description: "",
    members: [harness.user("dev").id],
    can_mention_group: { direct_members: allowed.map((each) => harness.user(each).id), direct_subgroups: [] },
  });
  expect(status).toBe(200);
}

const say = (name: CastName, content: string) =>
  harness.as(name).post("/messages", { type: "channel", to: "general", topic: "lunch", content });

async function flagsOf(name: CastName, id: number): Promise<string[]> {
  return (await harness.as(name).get(`/messages/${id}`)).body.message.flags;
}

describe("mentioning a group", () => {
  test("needs the group's permission", async () => {
    const { status, body } = await say("elin", "Soup, @*cooks*!");
    expect([status, body.code, body.msg]).toEqual([
      400,
      "BAD_REQUEST",
      "You are not allowed to mention user group 'cooks'.",
    ]);
    const { body: sent } = await say("dev", "Soup, @*cooks*!");
    expect(await flagsOf("dev", sent.id)).toContain("mentioned");
    expect(await flagsOf("elin", sent.id)).not.toContain("mentioned");
  });

  test("needs the permission of each group that the text names", async () => {
    expect((await say("elin", "@*judges* and @*cooks*")).status).toBe(400);
    expect((await say("elin", "@*judges*")).status).toBe(200);
    const direct = { type: "direct", to: [harness.user("dev").id], content: "@*cooks*" };
    expect((await harness.as("elin").post("/messages", direct)).status).toBe(400);
  });

  test("silently, in a quotation or in code is open to everyone", async () => {
    for (const text of ["@_*cooks*", "> @*cooks*", "`@*cooks*`", "@*no such group*"]) {
      const { status, body } = await say("elin", text);
      expect(status, text).toBe(200);
      expect(await flagsOf("dev", body.id), text).not.toContain("mentioned");
    }
  });

  test("is only possible silently for system groups, for every user", async () => {
    for (const name of ["ada", "gus"] as const) {
      expect((await say(name, "@*role:members*")).status, name).toBe(400);
      expect((await say(name, "@_*role:members*")).status, name).toBe(200);
    }
  });

  test("is open to everyone by default", async () => {
    await harness.as("ada").post("/user_groups/create", { name: "open", description: "", members: [] });
    expect((await say("gus", "@*open*")).status).toBe(200);
  });
});
