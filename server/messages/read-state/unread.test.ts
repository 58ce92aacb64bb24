/** Who comes back to many unread messages finds all of them, wherever they are. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { limits } from "./unread-store.ts";

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness?.close());

test("a direct conversation with more unread messages than a channel's are read one by one", async () => {
  const usual = { ...limits };
  Object.assign(limits, { few: 2 });
  try {
    const sent: number[] = [];
    for (const content of ["one", "two", "three", "four"]) {
      const message = { type: "direct", to: [harness.user("elin").id], content };
      sent.push((await expectSuccess(harness.as("ada").post("/messages", message))).id);
    }
    const fetch = { fetch_event_types: ["message", "update_message_flags"] };
    const { unread_msgs } = await expectSuccess(harness.as("elin").post("/register", fetch));
    expect(unread_msgs.count).toBe(4);
    expect(unread_msgs.pms[0].unread_message_ids).toEqual(sent);
  } finally {
    Object.assign(limits, usual);
  }
});
