// What `POST /register` answers, held against the declared sections.
import { type TProperties, Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registerSections } from "../../api/index.ts";
import { capabilityNames, registerQueue } from "../../api/integrations/real-time.ts";
import { tomorrow } from "../../api/personal/scheduled-messages.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";
import { problemsWith } from "../harness/validate-reply.ts";
import { repeated, undescribedFields } from "./problems.ts";

const declared: TProperties = Object.assign({}, ...registerSections.map(({ fields }) => fields));
const answer = Type.Object(
  {
    result: Type.Literal("success"),
    msg: Type.Literal(""),
    ...registerQueue.reply,
    ...Object.fromEntries(Object.entries(declared).map(([name, schema]) => [name, Type.Optional(schema)])),
  },
  { additionalProperties: false },
);
const modern = Object.fromEntries(capabilityNames.map((name) => [name, true]));

test("no two sections declare the same field", () => {
  const names = registerSections.flatMap(({ fields }) => Object.keys(fields));
  expect(repeated(names)).toEqual([]);
});

test("each field of the sections is described to its last part", () => {
  for (const { fields } of registerSections) expect(undescribedFields(fields, "/register")).toEqual([]);
});

describe("every field of the response is declared, and has the declared shape", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness();
    await fill(harness);
  });
  afterAll(() => harness.close());

  const forms = {
    "an old client": {},
    "a modern client": { client_capabilities: modern, include_subscribers: true, slim_presence: true },
    "a client that wants some of the subscribers": {
      client_capabilities: modern,
      include_subscribers: "partial",
    },
  };

  test.each(Object.entries(forms))("for %s", async (_, form) => {
    for (const name of ["ada", "dev", "gus", "echo"] satisfies CastName[]) {
      const { body } = await harness.as(name).post("/register", form);
      expect(problemsWith(answer, body), name).toEqual([]);
    }
  });

  test("for a visitor without an account", async () => {
    await harness.as("ada").patch("/realm", { enable_spectator_access: true });
    const { body } = await harness.nobody().post("/register", { client_capabilities: modern });
    expect(body).toMatchObject({ result: "success", queue_id: null });
    expect(problemsWith(answer, body)).toEqual([]);
  });

  test("and a client that asks for everything gets every declared field", async () => {
    const { body } = await harness.as("dev").post("/register", { include_subscribers: true });
    const missing = Object.keys(declared).filter((name) => !(name in body));
    expect(missing).toEqual([]);
  });
});

/** Something for each list, so that its items are checked too. */
async function fill(harness: Harness): Promise<void> {
  const { id } = await harness.channel("general", ["ada", "dev", "gus", "echo"], { isDefault: true });
  await harness.channel("design", ["ada"], { isPrivate: true });
  const ids = (...names: CastName[]) => names.map((name) => harness.user(name).id);
  const calls: [CastName, "post" | "patch", string, Record<string, unknown>][] = [
    [
      "ada",
      "post",
      "/messages",
      { type: "channel", to: "general", topic: "lunch", content: "@**all** soup" },
    ],
    ["ada", "post", "/messages", { type: "direct", to: ids("dev"), content: "hello" }],
    ["ada", "post", "/messages", { type: "direct", to: ids("dev", "ben"), content: "hello" }],
    ["dev", "post", "/user_topics", { stream_id: id, topic: "lunch", visibility_policy: 3 }],
    ["dev", "post", "/user_topics", { stream_id: id, topic: "noise", visibility_policy: 1 }],
    ["dev", "post", "/users/me/alert_words", { alert_words: ["soup"] }],
    ["dev", "post", "/navigation_views", { fragment: "narrow/is/starred", is_pinned: true }],
    ["dev", "post", "/navigation_views", { fragment: "narrow/search/soup", is_pinned: true, name: "Soup" }],
    ["dev", "post", "/drafts", { drafts: [{ type: "", to: [], topic: "", content: "Soup" }] }],
    ["dev", "post", "/saved_snippets", { title: "Hello", content: "*Hello*" }],
    [
      "dev",
      "post",
      "/scheduled_messages",
      { type: "channel", to: id, topic: "lunch", content: "soup", scheduled_delivery_timestamp: tomorrow() },
    ],
    ["dev", "post", `/users/me/muted_users/${harness.user("elin").id}`, {}],
    ["dev", "post", "/users/me/presence", { status: "idle" }],
    ["dev", "post", "/users/me/status", { status_text: "On vacation", emoji_name: "car", away: true }],
    ["ada", "post", "/channel_folders/create", { name: "Work", description: "All of it" }],
    ["ada", "post", "/realm/filters", { pattern: "#[0-9]+", url_template: "https://t.example.com/" }],
    ["ada", "post", "/realm/domains", { domain: "example.com", allow_subdomains: true }],
    [
      "ada",
      "post",
      "/realm/playgrounds",
      { name: "Run", pygments_language: "C++", url_template: "https://t.example.com/{code}" },
    ],
    ["ada", "post", "/user_groups/create", { name: "cooks", description: "Who cook", members: ids("dev") }],
    ["ada", "post", "/users", { email: "faye@demo.test", password: "a good start", full_name: "Faye Lind" }],
  ];
  const called = async ([name, method, path, params]: (typeof calls)[number]) => {
    const { body } = await harness.as(name)[method](path, params);
    expect(body.result, `${path}: ${body.msg}`).toBe("success");
    return body;
  };
  const bodies = [];
  for (const call of calls) bodies.push(await called(call));
  const reminder = { message_id: bodies[0].id, scheduled_delivery_timestamp: tomorrow() };
  await called(["dev", "post", "/reminders", reminder]);
}
