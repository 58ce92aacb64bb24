import { expect, test } from "vitest";
import { exampleSubscription } from "../../api/channels/channel-fields.ts";
import { exampleMessage } from "../../api/messages/message.ts";
import type { QueuedEvent } from "../contract.ts";
import { Model } from "../model/model.ts";
import { channelNarrow, combinedFeed, topicNarrow } from "../narrow.ts";
import { checkInvariants } from "./message-window.ts";
import { MessageWindows } from "./message-windows.ts";

function world() {
  const model = Model.fromSnapshot({
    ...{ user_id: 2, realm_url: "http://demo.test" },
    subscriptions: [{ ...exampleSubscription, stream_id: 4, invite_only: false }],
  });
  const changed: string[] = [];
  const windows = new MessageWindows(() => model, { onChange: (key) => changed.push(key), onNeed: () => {} });
  const message = (id: number, topic: string, channelId = 4) => ({
    ...{ ...exampleMessage, id, subject: topic, stream_id: channelId },
    flags: [],
  });
  const handle = (event: Record<string, unknown>) => {
    model.handle(event as QueuedEvent);
    windows.handle(event as QueuedEvent);
  };
  return {
    ...{ model, windows, changed, handle },
    add: (...listed: ReturnType<typeof message>[]) => model.messages.add(listed),
    message,
    arrive(id: number, topic: string) {
      const event = { id, type: "message", message: message(id, topic), flags: [] };
      handle(event);
      return event as QueuedEvent;
    },
  };
}

test("messages that arrive belong to each window that matches and has its end", () => {
  const { windows, arrive, changed } = world();
  const soup = windows.open(topicNarrow(4, "soup"));
  const bread = windows.open(topicNarrow(4, "bread"));
  const old = windows.open(channelNarrow(4));
  for (const window of [soup, bread]) windows.put(window, { ids: [], foundOldest: true, foundNewest: true });
  windows.put(old, { ids: [1, 2], foundOldest: true, foundNewest: false });
  changed.length = 0;
  arrive(7, "Soup");
  expect([soup.ids, bread.ids, old.ids]).toEqual([[7], [], [1, 2]]);
  expect(changed).toEqual([soup.key]);
});

test("a message that arrived while a page was on its way comes to the end of the page", () => {
  const { windows, arrive } = world();
  const window = windows.open(channelNarrow(4));
  const since = [arrive(9, "soup")];
  windows.put(window, { ids: [5, 6], foundOldest: true, foundNewest: true }, since);
  expect([window.ids, window.foundNewest]).toEqual([[5, 6, 9], true]);
  checkInvariants(window);
});

test("pages that touch become one range, and other pages replace it", () => {
  const { windows } = world();
  const window = windows.open(channelNarrow(4));
  windows.put(window, { ids: [10, 11, 12], foundOldest: false, foundNewest: false });
  windows.put(window, { ids: [8, 10], foundOldest: true, foundNewest: false });
  expect([window.ids, window.foundOldest]).toEqual([[8, 10, 11, 12], true]);
  // What a page lacks within its own range is gone.
  windows.put(window, { ids: [10, 12], foundOldest: false, foundNewest: false });
  expect(window.ids).toEqual([8, 10, 12]);
  windows.put(window, { ids: [90, 91], foundOldest: false, foundNewest: true });
  expect([window.ids, window.foundOldest, window.foundNewest]).toEqual([[90, 91], false, true]);
});

test("a narrow is shown from the known messages of all conversations, which claims nothing", () => {
  const { windows, add, message } = world();
  const all = windows.open(combinedFeed);
  add(message(1, "soup"), message(2, "bread"), message(3, "soup"));
  windows.put(all, { ids: [1, 2, 3], foundOldest: true, foundNewest: true });
  const soup = windows.open(topicNarrow(4, "soup"));
  expect([soup.ids, soup.foundOldest, soup.isOutdated]).toEqual([[1, 3], false, true]);
  // Its first page says what there is.
  windows.put(soup, { ids: [3, 4], foundOldest: false, foundNewest: true });
  expect([soup.ids, soup.isOutdated]).toEqual([[3, 4], false]);
  for (const narrow of [[{ operator: "search", operand: "soup" }], [{ operator: "is", operand: "starred" }]])
    expect(windows.open(narrow).isLoaded).toBe(false);
});

test("a page is complete as far as the message that it was asked for, which may be gone", () => {
  const { windows } = world();
  const window = windows.open(channelNarrow(4));
  windows.put(window, { ids: [11, 12], foundOldest: false, foundNewest: true });
  windows.put(window, { ids: [8, 9], foundOldest: true, foundNewest: false, anchor: 11 });
  expect([window.ids, window.foundOldest]).toEqual([[8, 9, 12], true]);
});

test("moved and deleted messages leave their windows, and moved ones appear where they are now", () => {
  const { windows, add, message, handle } = world();
  add(message(1, "soup"), message(2, "soup"), message(3, "bread"));
  const soup = windows.open(topicNarrow(4, "soup"));
  const bread = windows.open(topicNarrow(4, "bread"));
  windows.put(soup, { ids: [1, 2], foundOldest: true, foundNewest: true });
  windows.put(bread, { ids: [3], foundOldest: true, foundNewest: true });
  handle({
    ...{
      id: 1,
      type: "update_message",
      message_id: 2,
      message_ids: [2],
      flags: [],
      edit_timestamp: 5,
      user_id: 3,
    },
    ...{ stream_id: 4, orig_subject: "soup", subject: "bread", topic_links: [] },
  });
  expect([soup.ids, bread.ids]).toEqual([[1], [2, 3]]);
  handle({ id: 2, type: "delete_message", message_ids: [1, 3], message_type: "stream" });
  expect([soup.ids, bread.ids]).toEqual([[], [2]]);
});

test("what is starred comes into the view of starred messages, and leaves it again", () => {
  const { windows, add, message, handle } = world();
  add(message(5, "soup"), message(7, "soup"));
  const starred = windows.open([{ operator: "is", operand: "starred" }]);
  windows.put(starred, { ids: [7], foundOldest: true, foundNewest: true });
  const change = (op: "add" | "remove", messages: number[]) =>
    handle({ id: 1, type: "update_message_flags", op, operation: op, flag: "starred", messages, all: false });
  change("add", [5]);
  expect(starred.ids).toEqual([5, 7]);
  change("remove", [5]);
  expect(starred.ids).toEqual([7]);
});
