import { expect, test } from "vitest";
import { compileLinkifier } from "./node/linkifier-re2.ts";
import { topicLinks } from "./topic-links.ts";

const linkifiers = [
  compileLinkifier("#(?P<id>[0-9]+)", "https://t.example/{id}"),
  compileLinkifier("#1", "https://never.example/"),
];

test("a topic links the matches of the organization's patterns and bare addresses, by place", () => {
  expect(topicLinks("see example.com and #12, #3", linkifiers)).toEqual([
    { text: "example.com", url: "http://example.com" },
    { text: "#12", url: "https://t.example/12" },
    { text: "#3", url: "https://t.example/3" },
  ]);
});

test("of two patterns for one place the first wins", () => {
  expect(topicLinks("#1", linkifiers)).toEqual([{ text: "#1", url: "https://t.example/1" }]);
});

test("a topic of plain words has no links", () => {
  expect(topicLinks("lunch plans", linkifiers)).toEqual([]);
});
