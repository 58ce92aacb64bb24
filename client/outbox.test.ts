import { expect, test } from "vitest";
import { Connection } from "./connection.ts";
import { Outbox } from "./outbox.ts";

const to = { kind: "channel", channelId: 4, topic: "soup" } as const;

/** An outbox whose calls wait until they are answered, in order. */
function world() {
  const waiting: ((answer: { status: number; body: object } | Error) => void)[] = [];
  const sent: URLSearchParams[] = [];
  const connection = new Connection({
    site: "",
    credentials: "cookie",
    fetch: (_url, { body, headers }) => {
      expect(headers["X-Parley-Client"]).toBe("ParleyWeb");
      sent.push(body as URLSearchParams);
      return new Promise((resolve, reject) => {
        waiting.push((answer) =>
          answer instanceof Error
            ? reject(answer)
            : resolve({
                status: answer.status,
                headers: { get: () => null },
                text: async () => JSON.stringify(answer.body),
              }),
        );
      });
    },
  });
  let changes = 0;
  const outbox = new Outbox(
    connection,
    () => "a queue",
    () => changes++,
  );
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return {
    ...{ outbox, sent },
    answer: async (answer: { status: number; body: object } | Error) => {
      waiting.shift()?.(answer);
      await settle();
    },
    changes: () => changes,
  };
}

test("a message waits for its event, and gives it its local id", async () => {
  const { outbox, sent, answer } = world();
  const message = outbox.send(to, "Leek?");
  expect(outbox.messages).toEqual([message]);
  expect(Object.fromEntries(sent[0] ?? [])).toMatchObject({
    queue_id: "a queue",
    local_id: message.localId,
    topic: "soup",
  });
  await answer({ status: 200, body: { result: "success", msg: "", id: 71 } });
  expect([outbox.messages.length, outbox.isEmpty]).toEqual([1, false]);
  outbox.handleArrival(message.localId, 71);
  expect([outbox.messages, outbox.localIds.get(71)]).toEqual([[], message.localId]);
});

test("a refused message says why, keeps its text, and is sent again only when asked", async () => {
  const { outbox, sent, answer } = world();
  const message = outbox.send(to, "Leek?");
  await answer({ status: 400, body: { result: "error", msg: "Not here.", code: "BAD_REQUEST" } });
  expect(message).toMatchObject({ state: "failed", problem: "Not here.", content: "Leek?" });
  expect([sent.length, outbox.isEmpty]).toEqual([1, true]);
  outbox.retry(message);
  expect([sent.length, message.state]).toEqual([2, "sending"]);
  await answer(new TypeError("fetch failed"));
  expect(message.state).toBe("failed");
  outbox.remove(message);
  expect(outbox.messages).toEqual([]);
});

test("messages of a conversation go out one after another, also past one that fails", async () => {
  const { outbox, sent, answer } = world();
  for (const text of ["One", "Two", "Three"]) outbox.send(to, text);
  outbox.send({ kind: "direct", userIds: [12] }, "Meanwhile");
  const texts = () => sent.map((body) => body.get("content"));
  expect(texts()).toEqual(["One", "Meanwhile"]);
  await answer({ status: 400, body: { result: "error", msg: "No", code: "BAD_REQUEST" } });
  expect(texts()).toEqual(["One", "Meanwhile", "Two"]);
  await answer({ status: 200, body: { result: "success", msg: "", id: 70 } });
  await answer({ status: 200, body: { result: "success", msg: "", id: 71 } });
  expect(texts()).toEqual(["One", "Meanwhile", "Two", "Three"]);
  await answer({ status: 200, body: { result: "success", msg: "", id: 72 } });
  expect(outbox.messages.map(({ state, id }) => [state, id])).toEqual([
    ["failed", undefined],
    ["sending", 71],
    ["sending", 72],
    ["sending", 70],
  ]);
});

test("messages of other programs change nothing", () => {
  const { outbox, changes } = world();
  outbox.handleArrival(undefined, 5);
  outbox.handleArrival("another tab's", 6);
  expect([changes(), outbox.localIds.size]).toEqual([0, 0]);
});
