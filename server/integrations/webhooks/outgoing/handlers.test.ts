import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../../test/harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

test("the documented address, and the older one, show everybody with an account the fields of a call", async () => {
  for (const path of ["/service-outgoing-webhook", "/zulip-outgoing-webhook"]) {
    for (const name of ["ada", "gus", "echo"] as const) {
      const { result, msg, ...payload } = await expectSuccess(harness.as(name).post(path));
      expect(Object.keys(payload).sort()).toEqual([
        "bot_email",
        "bot_full_name",
        "data",
        "message",
        "token",
        "trigger",
      ]);
      expect(payload).toMatchObject({ trigger: "mention", message: { content: payload.data } });
    }
    expect((await harness.nobody().post(path)).status).toBe(401);
  }
});
