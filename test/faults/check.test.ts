import { describe, expect, test } from "vitest";
import type { Account } from "./ask.ts";
import { checkListener, checkSends } from "./check.ts";
import type { Listener } from "./listener.ts";
import type { Send } from "./senders.ts";

const account: Account = { userId: 7, email: "dev@demo.test", authorization: "" };

function send(key: string, outcome: Send["outcome"], id?: number): Send {
  return { key, account, startedAt: 0, endedAt: 0, outcome, id };
}

const stored = (...messages: [id: number, key: string][]) =>
  messages.map(([id, key]) => ({ id, key, senderId: account.userId }));

describe("of what was sent and what is in history", () => {
  const sends = [send("a", "acknowledged", 1), send("b", "unknown"), send("c", "refused")];
  const look = (...messages: [id: number, key: string][]) =>
    checkSends(sends, new Map([[account, stored(...messages)]]));

  test("all is well when the unknown is there once, or not at all", () => {
    look([1, "a"]);
    look([1, "a"], [2, "b"]);
  });

  test.each<[what: string, messages: [number, string][], error: string]>([
    ["an acknowledged message that is lost", [], "a, acknowledged as 1, is in history as []"],
    ["one that is there under another id", [[2, "a"]], "a, acknowledged as 1, is in history as [2]"],
    [
      "one that is there twice",
      [
        [1, "a"],
        [2, "a"],
      ],
      "a, acknowledged as 1, is in history as [1,2]",
    ],
    [
      "an unknown one that is there twice",
      [
        [1, "a"],
        [2, "b"],
        [3, "b"],
      ],
      "b, unknown as undefined, is in history as [2,3]",
    ],
    [
      "a refused one that is there",
      [
        [1, "a"],
        [2, "c"],
      ],
      "c, refused as undefined, is in history as [2]",
    ],
    [
      "one that nobody sent",
      [
        [1, "a"],
        [2, "x"],
      ],
      "history has messages that nobody sent: x",
    ],
  ])("%s is noticed", (_, messages, error) => {
    expect(() => look(...messages)).toThrow(error);
  });
});

describe("of what a listener heard and what is in history", () => {
  const history = stored([1, "a"], [2, "b"], [3, "c"]);
  const heard = (...messageIds: number[]) =>
    ({
      account,
      habits: { name: "quick" },
      running: new Promise(() => {}),
      messageIds,
    }) as unknown as Listener;

  test("all is well when both are the same", async () => {
    await checkListener(heard(1, 2, 3), history);
  });

  test.each([
    ["one that is missing", [1, 3]],
    ["one that came twice", [1, 2, 2, 3]],
    ["another order", [2, 1, 3]],
    ["one too many", [1, 2, 3, 4]],
  ])("%s is noticed", async (_, ids) => {
    await expect(checkListener(heard(...ids), history)).rejects.toThrow(
      `the listener 'quick' of dev@demo.test heard of ${ids.length} messages of 3; at place `,
    );
  });

  test("so is a listener that gave up, even if it had heard of all before", async () => {
    const listener = { ...heard(1, 2, 3), running: Promise.reject(new Error("got an error")) };
    await expect(checkListener(listener as unknown as Listener, history)).rejects.toThrow("got an error");
  });
});
