import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

test("a client can read the server settings before anybody signs in", async () => {
  await harness.as("ada").patch("/realm", { description: "We *cook*. <b>Really.</b>" });
  const { body } = await harness.nobody().get("/server_settings");
  expect(body).toMatchObject({
    service_feature_level: 420,
    zulip_feature_level: 420,
    realm_name: "Demo",
    realm_url: "http://demo.test",
    realm_uri: "http://demo.test",
    email_auth_enabled: true,
    require_email_format_usernames: true,
    is_incompatible: false,
    external_authentication_methods: [],
    realm_web_public_access_enabled: false,
  });
  expect(body.zulip_version).toBe(body.service_version);
  expect(body.authentication_methods).toMatchObject({ password: true, dev: true, github: false });
  expect(body.realm_description).toContain("<em>cook</em>");
  expect(body.realm_description).not.toContain("<b>");
});

test("server settings are the same with credentials, even wrong ones", async () => {
  const expected = (await harness.nobody().get("/server_settings")).body;
  const headers = { host: "demo.test", authorization: "Basic nonsense" };
  expect((await harness.app.inject({ url: "/api/v1/server_settings", headers })).json()).toEqual(expected);
  expect((await harness.as("dev").get("/server_settings")).body).toEqual(expected);
});

test("each host name gives its own organization, and an unknown host name gives none", async () => {
  expect((await harness.as("zed").get("/server_settings")).body.realm_name).toBe("Other");
  const { status, body } = await harness.nobody("nowhere.test").get("/server_settings");
  expect([status, body.code]).toEqual([404, "NONEXISTENT_SUBDOMAIN"]);
});

test("public access is on if both the server and the organization allow it", async () => {
  await harness.as("ada").patch("/realm", { enable_spectator_access: true });
  expect((await harness.nobody().get("/server_settings")).body.realm_web_public_access_enabled).toBe(true);
  const closed = await createHarness({ PARLEY_WEB_PUBLIC_STREAMS: "off" });
  try {
    await closed.as("ada").patch("/realm", { enable_spectator_access: true });
    expect((await closed.nobody().get("/server_settings")).body.realm_web_public_access_enabled).toBe(false);
    expect((await closed.nobody().post("/register")).status).toBe(401);
  } finally {
    await closed.close();
  }
});

test("the files that /register refers to exist", async () => {
  const { body } = await harness.as("dev").post("/register", { fetch_event_types: ["realm"] });
  const load = (url: string) =>
    harness.app.inject({ url: new URL(url, "http://demo.test").pathname, headers: { host: "demo.test" } });
  const icon = await load(body.realm_icon_url);
  expect([icon.statusCode, icon.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
  const emoji = (await load(body.server_emoji_data_url)).json();
  expect(emoji.code_to_names["1f419"]).toContain("octopus");
  expect(emoji.categories.find(({ name }: { name: string }) => name === "nature").codes).toContain("1f419");
});
