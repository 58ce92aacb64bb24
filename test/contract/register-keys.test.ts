// What `POST /register` answers, compared with a list of its fields that was written down independently.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../harness/harness.ts";
import {
  alwaysThere,
  defaultSettingFields,
  fieldsOfTwo,
  olderSettings,
  requiredByClients,
  requiredInRecords,
  sectionFields,
  userSettingFields,
} from "./register-keys.ts";

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "dev"]);
  await harness.as("ada").post("/realm/profile_fields", { name: "Team", field_type: 1 });
});
afterAll(() => harness.close());

const withObject = { notification_settings_null: true, user_settings_object: true };

async function register(parameters: Record<string, unknown>) {
  const { body } = await harness.as("dev").post("/register", { event_types: ["heartbeat"], ...parameters });
  expect(body.result, body.msg).toBe("success");
  return body;
}

const sorted = (names: readonly string[]) => [...names].sort();
const ofSection = (body: object) => sorted(Object.keys(body).filter((name) => !alwaysThere.includes(name)));

describe("a client that asks for one part gets its fields and no others (spec E20)", () => {
  test.each(Object.entries({ ...sectionFields, ...olderSettings }))("%s", async (name, fields) => {
    const body = await register({ fetch_event_types: [name] });
    expect(Object.keys(body)).toEqual(expect.arrayContaining([...alwaysThere]));
    expect(ofSection(body)).toEqual(sorted(fields));
  });

  test("and a client that asks for nothing gets no part", async () => {
    expect(ofSection(await register({ fetch_event_types: [] }))).toEqual([]);
    expect(ofSection(await register({ fetch_event_types: ["no such part"] }))).toEqual([]);
  });
});

test("unread messages come to clients that ask for messages and for flags", async () => {
  const [first, second] = fieldsOfTwo.names;
  expect(ofSection(await register({ fetch_event_types: [second] }))).toEqual([]);
  const body = await register({ fetch_event_types: [first, second] });
  expect(ofSection(body)).toEqual(sorted([...(sectionFields[first] ?? []), ...fieldsOfTwo.fields]));
});

test("a client that names no parts gets all fields of the feature level (spec E20)", async () => {
  const parts = Object.values(sectionFields).flat();
  const modern = await register({ event_types: undefined, client_capabilities: withObject });
  expect(ofSection(modern)).toEqual(sorted([...parts, ...fieldsOfTwo.fields]));

  const old = await register({ event_types: undefined });
  const older = Object.values(olderSettings).flat();
  expect(ofSection(old)).toEqual(sorted([...parts, ...fieldsOfTwo.fields, ...older]));
});

test("without `fetch_event_types`, the types of events choose the parts (spec E20)", async () => {
  const body = await register({ event_types: ["alert_words", "presence"] });
  const { alert_words = [], presence = [] } = sectionFields;
  expect(ofSection(body)).toEqual(sorted([...alert_words, ...presence]));
});

test("a picture's address is never left out, not even for clients that can do without it", async () => {
  const client_capabilities = { notification_settings_null: true, user_avatar_url_field_optional: true };
  const form = { fetch_event_types: ["realm_user"], client_gravatar: false };
  const { realm_users } = await register({ ...form, client_capabilities });
  expect(realm_users.length).toBeGreaterThan(0);
  for (const user of realm_users) expect(user.avatar_url).toEqual(expect.any(String));
});

test("a person's settings, and the organization's defaults for them, are complete", async () => {
  const { user_settings, realm_user_settings_defaults } = await register({ event_types: undefined });
  expect(sorted(Object.keys(user_settings))).toEqual(sorted(userSettingFields));
  expect(sorted(Object.keys(realm_user_settings_defaults))).toEqual(sorted(defaultSettingFields));
});

describe("no field is missing without which clients do not start", () => {
  test.each(Object.entries(requiredByClients))("of %s", async (_, { asks, needs }) => {
    const body = await register({ event_types: undefined, ...asks });
    expect(needs.filter((name) => body[name] === undefined)).toEqual([]);
  });

  test.each(Object.entries(requiredInRecords))("in each of the %s", async (list, fields) => {
    const body = await register({ event_types: undefined, include_subscribers: true });
    expect(body[list].length).toBeGreaterThan(0);
    for (const record of body[list]) expect(Object.keys(record)).toEqual(expect.arrayContaining([...fields]));
  });

  test("in a person's own record and settings", async () => {
    const { realm_users, user_id, user_settings } = await register({ event_types: undefined });
    expect(realm_users).toContainEqual(expect.objectContaining({ user_id, is_bot: false }));
    expect(user_settings).toMatchObject({
      send_private_typing_notifications: true,
      twenty_four_hour_time: false,
      pm_content_in_desktop_notifications: true,
    });
  });

  test("in the unread messages", async () => {
    const { id } = harness.user("dev");
    await harness.as("ada").post("/messages", { type: "direct", to: [id], content: "Soup?" });
    await harness
      .as("ada")
      .post("/messages", { type: "direct", to: [id, harness.user("ben").id], content: "Soup?" });
    const sent = { type: "channel", to: "general", topic: "lunch", content: "@**Dev Rao**" };
    const { body } = await harness.as("ada").post("/messages", sent);
    const { unread_msgs } = await register({ event_types: undefined });
    const { pms, huddles, streams, mentions } = unread_msgs;
    expect(pms).toMatchObject([
      { sender_id: harness.user("ada").id, unread_message_ids: [expect.any(Number)] },
    ]);
    expect(huddles).toMatchObject([
      { user_ids_string: expect.stringContaining(","), unread_message_ids: [expect.any(Number)] },
    ]);
    expect(streams).toContainEqual(
      expect.objectContaining({ topic: "lunch", unread_message_ids: [body.id] }),
    );
    expect(mentions).toEqual([body.id]);
  });

  test("in the presence of people, by email address", async () => {
    await harness.as("dev").post("/users/me/presence", { status: "active" });
    const { presences, email } = await register({ fetch_event_types: ["presence", "realm_user"] });
    expect(presences[email]).toMatchObject({
      aggregated: { status: "active", timestamp: expect.any(Number) },
      website: { status: "active", timestamp: expect.any(Number) },
    });
  });
});
