import { expect, test } from "vitest";
import {
  channelNarrow,
  conversationOf,
  directNarrow,
  keyOfNarrow,
  matchesNarrow,
  topicNarrow,
} from "./narrow.ts";
import { hashOfNarrow, parseNarrowHash } from "./narrow-hash.ts";

const names = { channel: (id: number) => (id === 4 ? "design team" : undefined) };

test("addresses of narrows lead to the same narrow again", () => {
  const texts = ["dark mode", "50% (at least).", "a/b", "Ünïcode · 設計", "שלום", ".20", ""];
  for (const narrow of [
    ...texts.map((text) => topicNarrow(4, text)),
    channelNarrow(4),
    directNarrow([8, 5]),
  ]) {
    const place = { narrow, near: 12 };
    expect(parseNarrowHash(hashOfNarrow(place, names))).toEqual(place);
  }
  expect(hashOfNarrow({ narrow: topicNarrow(4, "v1.0 (new)") }, names)).toBe(
    "#narrow/channel/4-design-team/topic/v1.2E0.20.28new.29",
  );
});

test("addresses with older names of operators are understood", () => {
  expect(parseNarrowHash("#narrow/stream/4-design/subject/icon.20set")?.narrow).toEqual(
    topicNarrow(4, "icon set"),
  );
  expect(parseNarrowHash("#narrow/pm-with/5,8-group")?.narrow).toEqual(directNarrow([5, 8]));
  expect(parseNarrowHash("#narrow/-is/muted/with/7")).toEqual({
    narrow: [{ operator: "is", operand: "muted", negated: true }],
    with: 7,
  });
});

test("texts with spaces are never taken for more terms", () => {
  const search = (text: string) => keyOfNarrow([{ operator: "search", operand: text }]);
  const starred = { operator: "is", operand: "starred" };
  expect(search("a is:starred")).not.toBe(keyOfNarrow([{ operator: "search", operand: "a" }, starred]));
  expect(search('a" is:"starred')).not.toBe(keyOfNarrow([{ operator: "search", operand: "a" }, starred]));
});

test("an address that can't be read is no narrow", () => {
  for (const hash of ["#inbox", "#narrow", "#narrow/topic", "#narrow/near/x", "#narrow/topic/.E0.A4"])
    expect(parseNarrowHash(hash)).toBeUndefined();
});

const inTopic = {
  id: 7,
  reactions: [],
  to: { kind: "channel", channelId: 4, topic: "Icons" },
  senderId: 5,
  flags: new Set(["read"]),
} as const;
const direct = { ...inTopic, to: { kind: "direct", userIds: [2, 5, 8] }, flags: new Set<string>() } as const;

test("a message is matched by channel, topic in any case, and people", () => {
  const read = (narrow: Parameters<typeof matchesNarrow>[0]) => [
    matchesNarrow(narrow, { ...inTopic, reactions: [], flags: new Set(inTopic.flags) }, 2),
    matchesNarrow(narrow, { ...direct, reactions: [], to: { kind: "direct", userIds: [2, 5, 8] } }, 2),
  ];
  expect(read([])).toEqual([true, true]);
  expect(read(topicNarrow(4, "iCONS"))).toEqual([true, false]);
  expect(read(directNarrow([8, 5]))).toEqual([false, true]);
  expect(read([{ operator: "is", operand: "unread" }])).toEqual([false, true]);
  expect(read([{ operator: "channel", operand: 4, negated: true }])).toEqual([false, true]);
  expect(read([{ operator: "search", operand: "soup" }])).toEqual([undefined, undefined]);
});

test("only narrows to one place are conversations", () => {
  expect(conversationOf(topicNarrow(4, "x"))).toEqual({ kind: "channel", channelId: 4, topic: "x" });
  expect(conversationOf(directNarrow([3]))).toEqual({ kind: "direct", userIds: [3] });
  expect(conversationOf([{ operator: "is", operand: "starred" }])).toBeUndefined();
  expect(keyOfNarrow(topicNarrow(4, "X"))).toBe(keyOfNarrow(topicNarrow(4, "x")));
});
