import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { readApiKey } from "../../people/credentials.ts";

let harness: Harness;
let authorization: string;
beforeAll(async () => {
  harness = await createHarness();
  for (let count = 0; count < 60; count++) {
    await harness.channel(`hall ${count}`, ["dev"], { description: `${count} `.repeat(300) });
  }
  const { state, services } = harness;
  const { id, email } = harness.user("ben").user;
  const key = await readApiKey(state, services.keyring, id);
  authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
});
afterAll(() => harness?.close());

async function register(accepts: string) {
  const response = await harness.app.inject({
    method: "POST",
    url: "/api/v1/register",
    headers: {
      host: "demo.test",
      authorization,
      "accept-encoding": accepts,
      "content-type": "application/x-www-form-urlencoded",
    },
    payload: "include_subscribers=true",
  });
  expect(response.statusCode).toBe(200);
  const { headers, rawPayload } = response;
  expect(headers["content-length"]).toBe(String(rawPayload.length));
  const bytes = headers["content-encoding"] === "gzip" ? gunzipSync(rawPayload) : rawPayload;
  return {
    headers,
    length: rawPayload.length,
    body: JSON.parse(bytes.toString()) as Record<string, unknown>,
  };
}

test.each(["identity", "gzip;q=0", "br"])(
  "a client that accepts %s gets an answer as it is",
  async (accepts) => {
    expect((await register(accepts)).headers["content-encoding"]).toBeUndefined();
  },
);

test("a client that accepts gzip gets the same answer compressed", async () => {
  const plain = await register("identity");
  for (const accepts of ["gzip", "br, gzip;q=0.5"]) {
    const packed = await register(accepts);
    expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(packed.length).toBeLessThan(plain.length / 2);
    const changing = { queue_id: null, server_timestamp: null };
    expect({ ...packed.body, ...changing }).toEqual({ ...plain.body, ...changing });
  }
});
