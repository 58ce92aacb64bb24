import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { MAX_DEVICE_TOKENS } from "../../../api/limits.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";

let harness: Harness;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
});
afterAll(() => harness.close());

const APNS = "/users/me/apns_device_token";
const FCM = "/users/me/android_gcm_reg_id";
const appid = "org.example.Chat-1";
const addApns = (name: CastName, token: string, more = {}) =>
  harness.as(name).post(APNS, { token, appid, ...more });
const addFcm = (name: CastName, token: string) => harness.as(name).post(FCM, { token });

async function tokensOf(name: CastName): Promise<[string, string, string | null][]> {
  const { id, viewer } = harness.user(name);
  const rows = await harness.services.database.query<{ kind: string; token: string; app: string | null }>(sql`
    select kind, token, app_id as app from device_tokens
    where organization_id = ${viewer.state.organizationId} and user_id = ${id} order by added_at, id`);
  return rows.map(({ kind, token, app }) => [kind, token, app]);
}

describe("tokens of devices", () => {
  test("are kept and removed for one person (spec E15)", async () => {
    await expectSuccess(addApns("dev", "c0ffee"));
    await expectSuccess(addFcm("dev", "c0ffee"));
    await expectSuccess(addFcm("gus", "another:phone"));
    expect(await tokensOf("dev")).toEqual([
      ["apns", "c0ffee", appid],
      ["fcm", "c0ffee", null],
    ]);
    await expectSuccess(harness.as("dev").delete(APNS, { token: "c0ffee" }));
    expect(await tokensOf("dev")).toEqual([["fcm", "c0ffee", null]]);
    await expectSuccess(harness.as("dev").delete(FCM, { token: "c0ffee" }));
    expect(await tokensOf("dev")).toEqual([]);
    expect(await tokensOf("gus")).toEqual([["fcm", "another:phone", null]]);
  });

  test("can be added again, with another app", async () => {
    await expectSuccess(addApns("dev", "c0ffee"));
    await expectSuccess(addApns("dev", "c0ffee", { appid: "org.example.Other" }));
    expect(await tokensOf("dev")).toEqual([["apns", "c0ffee", "org.example.Other"]]);
  });

  test("belong to each account of a device, also in several organizations", async () => {
    for (const name of ["dev", "elin", "zed"] as const) await expectSuccess(addFcm(name, "shared"));
    await expectSuccess(harness.as("elin").delete(FCM, { token: "shared" }));
    expect(await tokensOf("dev")).toEqual([["fcm", "shared", null]]);
    expect(await tokensOf("zed")).toEqual([["fcm", "shared", null]]);
    expect(await refusal(harness.as("elin").delete(FCM, { token: "shared" }))).toBe("Token does not exist");
  });

  test("that are unknown or another person's can't be removed (spec E15)", async () => {
    await addApns("ada", "c0ffee");
    for (const name of ["dev", "zed"] as const) {
      expect(await refusal(harness.as(name).delete(APNS, { token: "c0ffee" }))).toBe("Token does not exist");
    }
    expect(await refusal(harness.as("ada").delete(FCM, { token: "c0ffee" }))).toBe("Token does not exist");
    expect(await tokensOf("ada")).toHaveLength(1);
  });

  test("are refused if they are empty, too long or no tokens (spec E15)", async () => {
    const long = "a".repeat(4097);
    for (const token of ["", long]) {
      const calls = [addApns("dev", token), addFcm("dev", token)];
      calls.push(...[APNS, FCM].map((path) => harness.as("dev").delete(path, { token })));
      for (const call of calls) expect(await refusal(call)).toBe("Empty or invalid length token");
    }
    for (const token of ["no token", "é", "=c0ffee"]) {
      expect(await refusal(addApns("dev", token))).toBe("Invalid APNS token");
      expect(await refusal(harness.as("dev").delete(APNS, { token }))).toBe("Invalid APNS token");
    }
    expect(await refusal(addApns("dev", "c0ffee", { appid: "a b" }))).toBe("appid has invalid characters");
    const { body } = await harness.as("dev").post(APNS, { token: "c0ffee" });
    expect(body).toMatchObject({ code: "REQUEST_VARIABLE_MISSING", var_name: "appid" });
    expect(await tokensOf("dev")).toEqual([]);
    await expectSuccess(addApns("dev", "a".repeat(4096)));
    await expectSuccess(addApns("dev", "Ab-_+/9="));
  });

  test("make room for new ones at the limit, the oldest first", async () => {
    for (let each = 1; each <= MAX_DEVICE_TOKENS; each++) await expectSuccess(addFcm("dev", `phone ${each}`));
    await expectSuccess(addFcm("elin", "phone 1"));
    await expectSuccess(addFcm("dev", "phone 1"));
    await expectSuccess(addFcm("dev", "new phone"));
    const tokens = (await tokensOf("dev")).map(([, token]) => token);
    expect(tokens).toHaveLength(MAX_DEVICE_TOKENS);
    expect(tokens).not.toContain("phone 2");
    expect(tokens.slice(-2)).toEqual(["phone 1", "new phone"]);
    expect(await tokensOf("elin")).toHaveLength(1);
  });

  test("end with the account's deactivation, and do not come back", async () => {
    for (const name of ["dev", "elin"] as const) await addFcm(name, "phone");
    const address = `/users/${harness.user("dev").id}`;
    await expectSuccess(harness.as("ada").delete(address));
    expect([await tokensOf("dev"), (await tokensOf("elin")).length]).toEqual([[], 1]);
    await expectSuccess(harness.as("ada").post(`${address}/reactivate`));
    expect(await tokensOf("dev")).toEqual([]);
  });

  test("end with a new API key, for that person alone", async () => {
    for (const name of ["dev", "elin"] as const) await addFcm(name, "phone");
    await expectSuccess(harness.as("dev").post("/users/me/api_key/regenerate"));
    expect([await tokensOf("dev"), (await tokensOf("elin")).length]).toEqual([[], 1]);
  });
});

describe("a server without a push service", () => {
  const registration = {
    token_kind: "fcm",
    push_account_id: 2408,
    push_public_key: "a key",
    bouncer_public_key: "another key",
    encrypted_push_registration: "secret",
  };

  test("says so before anyone signs in, and in the first state", async () => {
    const { body } = await harness.nobody().get("/server_settings");
    expect(body.push_notifications_enabled).toBe(false);
    const first = await expectSuccess(harness.as("dev").post("/register", {}));
    expect(first).toMatchObject({ realm_push_notifications_enabled: false, push_devices: {} });
    const some = await expectSuccess(harness.as("dev").post("/register", { event_types: ["message"] }));
    expect(some).not.toHaveProperty("push_devices");
  });

  test("sends no test notifications, and knows whose a token is", async () => {
    await addFcm("ada", "phone");
    const send = (params = {}) => harness.as("dev").post("/mobile_push/test_notification", params);
    expect((await send({ token: "phone" })).body.code).toBe("INVALID_PUSH_DEVICE_TOKEN");
    await addFcm("dev", "phone");
    for (const params of [{}, { token: "phone" }]) {
      const { status, body } = await send(params);
      expect([status, body.code]).toEqual([400, "PUSH_SERVICE_NOT_CONFIGURED"]);
    }
    const encrypted = await harness.as("dev").post("/mobile_push/e2ee/test_notification", {
      push_account_id: 2408,
    });
    expect([encrypted.status, encrypted.body.code]).toEqual([400, "NO_ACTIVE_PUSH_DEVICE"]);
  });

  test("registers no devices, and keeps nothing of what they sent", async () => {
    const { status, body } = await harness.as("dev").post("/mobile_push/register", registration);
    expect([status, body.code]).toEqual([400, "PUSH_SERVICE_NOT_CONFIGURED"]);
    const wrong = { ...registration, token_kind: "pigeon" };
    expect((await harness.as("dev").post("/mobile_push/register", wrong)).body.code).toBe("BAD_REQUEST");
    const { push_devices } = await expectSuccess(harness.as("dev").post("/register", {}));
    expect(push_devices).toEqual({});
  });

  test("answers people alone", async () => {
    const bot = harness.as("echo");
    const calls = [
      bot.post(APNS, { token: "c0ffee", appid }),
      bot.delete(APNS, { token: "c0ffee" }),
      bot.post(FCM, { token: "phone" }),
      bot.delete(FCM, { token: "phone" }),
      bot.post("/mobile_push/test_notification"),
      bot.post("/mobile_push/e2ee/test_notification"),
      bot.post("/mobile_push/register", registration),
    ];
    for (const call of calls) {
      expect(await refusal(call)).toBe("This endpoint does not accept bot requests.");
    }
    expect(await tokensOf("echo")).toEqual([]);
  });
});

test("on a production server a person adds at most 200 tokens an hour", async () => {
  const production = await createHarness({
    PARLEY_ENV: "production",
    PARLEY_SECRET: "a secret for the tests",
  });
  try {
    const { id, viewer } = production.user("dev");
    await expectSuccess(production.as("dev").post(FCM, { token: "phone" }));
    await production.services.database.query(sql`
      update quota_usage set used = 199
      where organization_id = ${viewer.state.organizationId} and user_id = ${id} and quota = 'device tokens'`);
    await expectSuccess(production.as("dev").post(FCM, { token: "phone" }));
    const { status, headers } = await production.as("dev").post(FCM, { token: "phone" });
    expect(status).toBe(429);
    expect(Number(headers["retry-after"])).toBeGreaterThan(3000);
  } finally {
    await production.close();
  }
});
