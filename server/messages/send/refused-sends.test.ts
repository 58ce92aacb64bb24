/** What senders are told when their messages are refused again and again, and then written under the lock. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { MessageId } from "../../../api/ids.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { ServerBusy } from "../../platform/db/server-busy.ts";
import { NotForBatch, type Send, type Sender } from "./batch.ts";
import { batcherOf, sendMessage } from "./send.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());
afterEach(() => vi.restoreAllMocks());

/** A message that was checked, to a topic that exists. */
async function checkedSend(name: string): Promise<Send> {
  const { viewer } = harness.user("dev");
  await harness.channel(name, ["dev"]);
  const say = (content: string) =>
    sendMessage(viewer, {
      to: { kind: "channel", channel: { name }, topic: "soup" },
      content,
      localEcho: null,
      readBySender: null,
    });
  await say("The first message of the topic goes alone.");
  const add = vi.spyOn(batcherOf(harness.state), "add");
  await say("This one does not.");
  const [send] = add.mock.calls[0] as [Send, Sender];
  add.mockRestore();
  return { ...send, stateHead: harness.state.stateHead };
}

/** The next statements that write a batch write nothing, as if another node had changed the state. */
function refuseBatches(count: number): void {
  const { database } = harness.state;
  const query = database.query.bind(database);
  let left = count;
  vi.spyOn(database, "query").mockImplementation(async (statement) => {
    if (left > 0 && statement.text.includes("insert into messages")) {
      left--;
      return [];
    }
    return query(statement);
  });
}

/** The next transaction fails with this error after all of its work. */
function failTransaction(error: Error): void {
  const { database } = harness.state;
  const transaction = database.transaction.bind(database);
  vi.spyOn(database, "transaction").mockImplementationOnce((run, options) =>
    transaction(async (...given) => {
      await run(...given);
      throw error;
    }, options),
  );
}

const deadlock = () => Object.assign(new Error("deadlock detected"), { code: "40P01" });

/** Notes what it is told. `check` is called once for each refusal, and then under the lock. */
function listener(check: (call: number) => Send) {
  const told: unknown[] = [];
  let calls = 0;
  const sender: Sender = {
    check: () => check(calls++),
    sent: (id) => told.push(id),
    failed: (error) => told.push(error),
  };
  return { sender, told };
}

const isWritten = async (id: MessageId) => (await harness.as("dev").get(`/messages/${id}`)).status === 200;

test.each([
  ["was refused", () => new ServerBusy("not now")],
  ["was to be sent alone", () => new NotForBatch()],
])(
  "a message that %s in a transaction that a deadlock ended is told only of the next one",
  async (_, error) => {
    const send = await checkedSend(`after a deadlock ${_}`);
    refuseBatches(2);
    failTransaction(deadlock());
    const { sender, told } = listener((call) => {
      // 0: after the first refusal. 1: in the transaction that fails.
      if (call === 1) throw error();
      return send;
    });
    batcherOf(harness.state).add(send, sender);
    await expect.poll(() => told).toHaveLength(1);
    expect(told).toEqual([expect.any(Number)]);
    expect(await isWritten(told[0] as MessageId)).toBe(true);
  },
);

test("a message that waited too long before it has the lock is refused and never written", async () => {
  const send = await checkedSend("a late lock");
  const { database } = harness.state;
  const { counts } = batcherOf(harness.state);
  const before = counts.messages;
  refuseBatches(2);
  const now = performance.now.bind(performance);
  const transaction = database.transaction.bind(database);
  vi.spyOn(database, "transaction").mockImplementationOnce((run, options) => {
    vi.spyOn(performance, "now").mockImplementation(() => now() + 11_000);
    return transaction(run, options);
  });
  const { sender, told } = listener(() => send);
  batcherOf(harness.state).add(send, sender);
  await expect.poll(() => told).toHaveLength(1);
  expect(told).toEqual([new ServerBusy("the message waited too long")]);
  expect(counts.messages).toBe(before);
});

test("when writing under the lock fails, messages of the batch that wait again are not told so", async () => {
  const send = await checkedSend("a batch that parts");
  const batcher = batcherOf(harness.state);
  refuseBatches(2);
  failTransaction(new Error("the connection broke"));
  const second = listener(() => send);
  const first = listener((call) => {
    if (call === 0) batcher.add(send, second.sender);
    return send;
  });
  batcher.add(send, first.sender);
  await expect.poll(() => second.told.length + first.told.length).toBe(2);
  expect(first.told).toEqual([new Error("the connection broke")]);
  expect(second.told).toEqual([expect.any(Number)]);
});
