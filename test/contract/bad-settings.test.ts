// What settings are given, right or wrong, must not break the responses that everybody needs to sign in.
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { organizationSettingList } from "../../api/administration/organization-settings.ts";
import { userSettingList } from "../../api/people/user-settings.ts";
import { badValues } from "../harness/bad-values.ts";
import { createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

/** The bad values that a JavaScript string can hold. */
const texts = badValues.flatMap(({ title, encoded }) => {
  try {
    return [{ title, text: decodeURIComponent(encoded) }];
  } catch {
    return [];
  }
});

/** What a client reads at its start, and what it sends first. The harness checks the shapes. */
async function problems(section: "realm" | "user_settings"): Promise<string[]> {
  const found: string[] = [];
  const registered = await harness
    .as("dev")
    .post("/register", { fetch_event_types: [section], event_types: [] });
  await harness.as("dev").delete("/events", { queue_id: registered.body.queue_id });
  const answers = {
    "/register": registered,
    "/server_settings": await harness.nobody().get("/server_settings"),
    "/messages/render": await harness.as("dev").post("/messages/render", { content: "```\nlet x\n```" }),
  };
  for (const [path, { status }] of Object.entries(answers))
    if (status !== 200) found.push(`${path}: ${status}`);
  const shown = registered.body;
  const values =
    section === "realm"
      ? organizationSettingList.map(({ name, schema }) => ({ name, schema, value: shown[`realm_${name}`] }))
      : userSettingList.map(({ name, schema }) => ({ name, schema, value: shown.user_settings[name] }));
  for (const { name, schema, value } of values) {
    if (!Compile(schema).Check(value)) found.push(`${name} is ${JSON.stringify(value)}`);
  }
  return found;
}

describe("whatever it is given, the responses keep their declared shape: the organization's setting", () => {
  test.each(["name", ...organizationSettingList.map(({ name }) => name)])("%s", async (name) => {
    const before = await problems("realm");
    expect(before).toEqual([]);
    for (const { title, text } of texts) {
      const { status } = await harness.as("ada").patch("/realm", { [name]: text });
      expect([200, 400], title).toContain(status);
      if (status === 200) expect(await problems("realm"), title).toEqual([]);
    }
  });
});

describe("whatever it is given, the responses keep their declared shape: the person's setting", () => {
  test.each(userSettingList.map(({ name }) => name))("%s", async (name) => {
    for (const { title, text } of texts) {
      const { status } = await harness.as("dev").patch("/settings", { [name]: text });
      expect([200, 400], title).toContain(status);
      if (status === 200) expect(await problems("user_settings"), title).toEqual([]);
    }
  });
});
