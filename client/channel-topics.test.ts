import { expect, test } from "vitest";
import { CallError } from "./call-error.ts";
import { ChannelTopics } from "./channel-topics.ts";
import type { Connection } from "./connection.ts";
import type { QueuedEvent } from "./contract.ts";

const topic = (name: string, max_id: number) => ({ name, max_id });

/** Answers of the server in their order. */
function topicsWith(...answers: (ReturnType<typeof topic>[] | CallError)[]) {
  const calls: number[] = [];
  const connection = {
    async call(_endpoint: unknown, { stream_id }: { stream_id: number }) {
      calls.push(stream_id);
      const answer = answers.shift() ?? [];
      if (answer instanceof CallError) throw answer;
      return { topics: answer };
    },
  } as unknown as Connection;
  const topics = new ChannelTopics(
    (call) => call(connection),
    // As a list on the screen, which asks whenever something has changed.
    (channelId) => void topics.need(channelId),
  );
  return { topics, calls, names: (id: number) => topics.of(id).map(({ name }) => name) };
}

const event = (fields: object) => fields as unknown as QueuedEvent;
const arrival = (subject: string, id: number) =>
  event({ type: "message", message: { stream_id: 1, subject, id } });
const move = (fields: object) =>
  event({
    type: "update_message",
    stream_id: 1,
    orig_subject: "soup",
    propagate_mode: "change_all",
    ...fields,
  });

test("a message raises its topic, whatever the case of its letters", async () => {
  const { topics, names } = topicsWith([topic("soup", 5), topic("bread", 4)]);
  await topics.need(1);
  topics.handle(arrival("Bread", 6));
  expect(names(1)).toEqual(["Bread", "soup"]);
});

test("a topic that is renamed keeps its place until the server's list is there", async () => {
  const { topics, calls, names } = topicsWith(
    [topic("bread", 5), topic("soup", 4)],
    [topic("✔ soup", 7), topic("bread", 5)],
  );
  await topics.need(1);
  topics.handle(move({ subject: "✔ soup" }));
  expect(names(1)).toEqual(["bread", "✔ soup"]);
  await expect.poll(() => names(1)).toEqual(["✔ soup", "bread"]);
  expect(calls).toEqual([1, 1]);
});

test("a topic that moves to another channel leaves one list and joins the other", async () => {
  const { topics, names } = topicsWith([topic("soup", 4)], [topic("bread", 3)]);
  await topics.need(1);
  await topics.need(2);
  topics.handle(move({ new_stream_id: 2 }));
  expect([names(1), names(2)]).toEqual([[], ["soup", "bread"]]);
});

test("a topic whose messages were deleted leaves the list", async () => {
  const { topics, names } = topicsWith([topic("soup", 5), topic("bread", 4)], [topic("bread", 4)]);
  await topics.need(1);
  topics.handle(event({ type: "delete_message", message_ids: [5], message_type: "stream", stream_id: 1 }));
  await expect.poll(() => names(1)).toEqual(["bread"]);
});

test("what happens while the list is on its way is not lost in an older answer", async () => {
  const { topics, calls, names } = topicsWith(
    [topic("soup", 5), topic("bread", 4)],
    [topic("bread", 6), topic("✔ soup", 5)],
  );
  const asked = topics.need(1);
  topics.handle(arrival("bread", 6));
  await asked;
  expect(names(1)).toEqual(["bread", "soup"]);
  expect(calls).toEqual([1]);
  topics.expire();
  const again = topics.need(1);
  topics.handle(move({ subject: "✔ soup" }));
  await again;
  expect(calls).toEqual([1, 1, 1]);
});

test("an older message does not push its topic up", async () => {
  const { topics, names } = topicsWith([topic("soup", 5), topic("bread", 4)]);
  await topics.need(1);
  topics.handle(arrival("bread", 3));
  expect(names(1)).toEqual(["soup", "bread"]);
});

test("a channel that is gone has no topics", async () => {
  const { topics, names } = topicsWith([topic("soup", 5)]);
  await topics.need(1);
  topics.handle(event({ type: "stream", op: "delete", stream_ids: [1] }));
  expect(names(1)).toEqual([]);
});

test("a list that can't be fetched is not asked for again and again", async () => {
  const failure = () => new CallError("get_topics", { kind: "network", timedOut: false }, "No");
  const { topics, calls } = topicsWith(failure(), failure(), failure(), failure());
  await topics.need(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls).toEqual([1, 1]);
});
