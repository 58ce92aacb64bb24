import { expect, test } from "vitest";
import { isEmptyTopicName, isResolvedTopic, isTopicResolution, topicDisplayName } from "./topic-name.ts";

test("the empty topic shows its display name to readers that can't show an empty name", () => {
  expect(topicDisplayName("")).toBe("general chat");
  expect(topicDisplayName("", true)).toBe("");
  expect(topicDisplayName("lunch")).toBe("lunch");
});

test.each(["", "  ", "(no topic)", " general chat "])("%j given as a topic means the empty topic", (text) => {
  expect(isEmptyTopicName(text)).toBe(true);
});

test.each(["lunch", "General chat", "no topic"])("%j given as a topic means a topic of that name", (text) => {
  expect(isEmptyTopicName(text)).toBe(false);
});

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
