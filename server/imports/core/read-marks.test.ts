import { expect, test } from "vitest";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import type { WrittenIds } from "./ids.ts";
import { ReadMarks } from "./read-marks.ts";
import { ReadStates } from "./readers.ts";
import { Report } from "./report.ts";

const [ann, ben] = [21, 22] as UserId[];
const channel = 5 as ChannelId;
const ids: WrittenIds = {
  people: new Map([
    ["ann", ann as UserId],
    ["ann too", ann as UserId],
    ["ben", ben as UserId],
  ]),
  groups: new Map(),
  folders: new Map(),
  channels: new Map([["town", channel]]),
};

/** The stretches that each person has not read, of messages at places 1, 3, 5, … with these times. */
function unreadOf(marks: ReadMarks, times: readonly number[], report = new Report()) {
  const states = new ReadStates(report, marks);
  for (const [index, sentAt] of times.entries()) {
    states.note(channel, { place: 2 * index + 1, order: index, sentAt }, [], true);
  }
  const readers = new Set([ann, ben] as UserId[]);
  return [...states.readStates(() => true, readers)].map(({ userId, unread }) => [userId, unread]);
}

test("what is newer than somebody's time is unread, and all is read where there is no time", () => {
  const marks = new ReadMarks([{ personId: "ann", to: { channelId: "town" }, readUntil: 20 }], ids);
  expect(unreadOf(marks, [10, 20, 20, 30, 40])).toEqual([
    [ann, [[7, 9]]],
    [ben, []],
  ]);
  expect(unreadOf(marks, [10, 20])).toEqual([
    [ann, []],
    [ben, []],
  ]);
});

test("the later time counts for two accounts of one person, in a conversation too", () => {
  const to = { personIds: ["ben", "ann"] };
  const marks = new ReadMarks(
    [
      { personId: "ann", to, readUntil: 50 },
      { personId: "ann too", to: { personIds: ["ann too", "ben"] }, readUntil: 20 },
      { personId: "nobody", to, readUntil: 1 },
      { personId: "ann", to: { personIds: ["ann", "nobody"] }, readUntil: 1 },
    ],
    ids,
  );
  expect(marks.of([ann, ben] as UserId[], ann as UserId)).toBe(50);
  expect(marks.of([ann] as UserId[], ann as UserId)).toBeUndefined();
});

test("of very many unread messages the oldest count as read, and are counted", () => {
  const marks = new ReadMarks([{ personId: "ben", to: { channelId: "town" }, readUntil: 0 }], ids);
  const report = new Report();
  const times = Array.from({ length: 5003 }, (_, index) => index + 1);
  expect(unreadOf(marks, times, report)[1]).toEqual([ben, [[7, 10_005]]]);
  expect(report.losses.get("old unread messages count as read")?.count).toBe(3);
});
