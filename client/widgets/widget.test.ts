import { expect, test } from "vitest";
import type { Submessage } from "../model/messages.ts";
import { entriesOf } from "./entries.ts";
import { Poll } from "./poll.ts";
import { TaskList } from "./task-list.ts";
import { readWidget } from "./widget.ts";

const [ada, dev] = [8, 11];

function submessages(...contents: readonly (readonly [number, object | string])[]): Submessage[] {
  return contents.map(([senderId, content], at) => ({
    id: at + 1,
    senderId,
    kind: "widget",
    content: typeof content === "string" ? content : JSON.stringify(content),
  }));
}

const poll = { widget_type: "poll", extra_data: { question: "Lunch?", options: ["Soup", "Salad"] } };

test("votes count once for each person, and can be taken back", () => {
  const vote = (key: string, value: 1 | -1) => ({ type: "vote", key, vote: value });
  const read = readWidget(
    submessages(
      [ada, poll],
      [dev, vote("canned,0", 1)],
      [dev, vote("canned,0", 1)],
      [ada, vote("canned,0", 1)],
      [dev, vote("canned,1", 1)],
      [dev, vote("canned,1", -1)],
      [dev, vote("nobody's,7", 1)],
    ),
  );
  expect(read).toBeInstanceOf(Poll);
  const options = (read as Poll).options.map(({ text, voterIds }) => [text, [...voterIds]]);
  expect(options).toEqual([
    ["Soup", [dev, ada]],
    ["Salad", []],
  ]);
});

test("an answer that two people add stands once, and each person counts their own", () => {
  const read = readWidget(
    submessages(
      [ada, poll],
      [dev, { type: "new_option", idx: 1, option: "Bread" }],
      [ada, { type: "new_option", idx: 1, option: "Bread" }],
      [dev, { type: "new_option", idx: 4, option: "Rice" }],
      [dev, { type: "vote", key: `${dev},4`, vote: 1 }],
      [ada, { type: "question", question: "Dinner?" }],
    ),
  ) as Poll;
  expect(read.question).toBe("Dinner?");
  expect(read.options.map(({ text }) => text)).toEqual(["Soup", "Salad", "Bread", "Rice"]);
  expect(read.options.at(-1)?.voterIds).toEqual(new Set([dev]));
  expect([read.nextIndex(dev), read.nextIndex(ada), read.nextIndex(1)]).toEqual([5, 2, 1]);
});

test("a task is ticked off by one stroke and open again after the next", () => {
  const list = {
    widget_type: "todo",
    extra_data: { task_list_title: "Party", tasks: [{ task: "Cake", desc: "" }] },
  };
  const task = { type: "new_task", key: 1, task: "Music", desc: "loud", completed: false };
  const strike = (key: string) => ({ type: "strike", key });
  const read = readWidget(
    submessages(
      [ada, list],
      [dev, task],
      [dev, strike("0,canned")],
      [ada, strike(`1,${dev}`)],
      [dev, strike(`1,${dev}`)],
    ),
  ) as TaskList;
  expect(read).toBeInstanceOf(TaskList);
  expect(read.tasks).toMatchObject([
    { text: "Cake", isDone: true },
    { text: "Music", description: "loud", isDone: false },
  ]);
});

test("what is no widget, or an action of an unknown kind, changes nothing", () => {
  expect(readWidget([])).toBeUndefined();
  expect(readWidget(submessages([ada, "no JSON"]))).toBeUndefined();
  expect(readWidget(submessages([ada, { widget_type: "game" }]))).toBeUndefined();
  const read = readWidget(submessages([ada, poll], [dev, "{"], [dev, { type: "dance" }])) as Poll;
  expect(read.options.map(({ voterIds }) => voterIds.size)).toEqual([0, 0]);
});

test("the entries of a message are known without what happened to them", () => {
  const task = { type: "new_task", key: 1, task: "Music", desc: "loud", completed: false };
  const list = {
    widget_type: "todo",
    extra_data: { task_list_title: "", tasks: [{ task: "Cake", desc: "" }] },
  };
  expect(
    entriesOf(submessages([ada, list], [dev, task], [ada, { type: "strike", key: "0,canned" }])),
  ).toEqual([
    { text: "Cake", description: "" },
    { text: "Music", description: "loud" },
  ]);
  const bread = { type: "new_option", idx: 1, option: "Bread" };
  expect(entriesOf(submessages([ada, poll], [dev, bread])).map(({ text }) => text)).toEqual([
    ...["Soup", "Salad", "Bread"],
  ]);
  expect(entriesOf(submessages([ada, "no JSON"], [dev, { type: "dance" }]))).toEqual([]);
  expect(entriesOf(submessages([ada, { widget_type: "game" }]))).toEqual([]);
});
