import { expect, test } from "vitest";
import {
  isEmptyTopicName,
  isResolvedEmptyTopic,
  isResolvedTopic,
  isTopicResolution,
  topicDisplayName,
  topicRoom,
} from "./topic-name.ts";

test("the empty topic shows its display name to readers that can't show an empty name", () => {
  expect(topicDisplayName("")).toBe("general chat");
  expect(topicDisplayName("", true)).toBe("");
  expect(topicDisplayName("lunch")).toBe("lunch");
});

test.each(["", "  ", "(no topic)", "(No Topic)", " general chat ", "General Chat"])(
  "%j given as a topic means the empty topic",
  (text) => {
    expect(isEmptyTopicName(text)).toBe(true);
  },
);

test.each(["lunch", "General chats", "no topic"])(
  "%j given as a topic means a topic of that name",
  (text) => {
    expect(isEmptyTopicName(text)).toBe(false);
  },
);

test("a topic is resolved when its name begins with the check mark and a space", () => {
  expect(["✔ lunch", "✔lunch", "lunch ✔ "].map(isResolvedTopic)).toEqual([true, false, false]);
});

test.each([
  ["lunch", "✔ lunch", true],
  ["✔ ✔ lunch", "lunch", true],
  ["✔ lunch", "✔ ✔ lunch", false],
  ["lunch", "✔ dinner", false],
  ["lunch", "lunch", false],
])("whether renaming %j to %j only resolves or reopens the topic: %s", (from, to, expected) => {
  expect(isTopicResolution(from, to)).toBe(expected);
});

test.each([
  ["✔ ", true],
  [" ✔ ✔ ", true],
  ["✔ General Chat", true],
  ["✔ (no topic)", true],
  ["✔", false],
  ["✔ lunch", false],
  ["general chat", false],
])("whether %j would be the empty topic, resolved: %s", (text, expected) => {
  expect(isResolvedEmptyTopic(text)).toBe(expected);
});

test("the mark of a resolved topic takes none of the room for its name", () => {
  expect(["lunch", "✔ lunch"].map((name) => topicRoom(name, 60))).toEqual([60, 62]);
});
