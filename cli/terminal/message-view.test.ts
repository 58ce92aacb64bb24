import { describe, expect, test } from "vitest";
import { type Message, MessageView, type ViewOptions } from "./message-view.ts";

const noon = new Date(2026, 10, 21, 12, 0).getTime() / 1000;
const plain: ViewOptions = {
  columns: undefined,
  hasColors: false,
  ownEmail: "ada@demo.test",
  now: () => new Date(2026, 10, 21, 18, 0),
};

function message(fields: Partial<Message>): Message {
  const base = {
    type: "stream",
    display_recipient: "general",
    subject: "lunch",
    recipient_id: 3,
    sender_id: 10,
    sender_full_name: "Dev Rao",
    timestamp: noon,
    content: "Soup?",
  };
  return { ...base, ...fields } as Message;
}

function person(id: number, full_name: string, email: string) {
  return { id, full_name, email, is_mirror_dummy: false };
}

const show = (options: Partial<ViewOptions>, ...messages: Message[]) => {
  const view = new MessageView(() => ({ ...plain, ...options }));
  return messages.flatMap((each) => view.show(each));
};

describe("messages on a terminal", () => {
  test("successive messages of a conversation are printed below one header", () => {
    expect(
      show(
        {},
        message({}),
        message({ content: "Or salad?" }),
        message({ sender_id: 11, sender_full_name: "Elin Berg", content: "Soup." }),
      ),
    ).toEqual([
      "#general › lunch",
      "  12:00 Dev Rao",
      "    Soup?",
      "    Or salad?",
      "  12:00 Elin Berg",
      "    Soup.",
    ]);
  });

  test("a message under another topic begins a new block", () => {
    const lines = show({}, message({}), message({ subject: "walk" }), message({}));
    expect(lines.filter((line) => !line.startsWith(" "))).toEqual([
      "#general › lunch",
      "",
      "#general › walk",
      "",
      "#general › lunch",
    ]);
  });

  test("the header of a direct message names the other people", () => {
    const people = [
      person(1, "Ada Osei", "ada@demo.test"),
      person(2, "Ben Ito", "ben@demo.test"),
      person(3, "Cleo", "cleo@demo.test"),
    ];
    expect(show({}, message({ type: "private", display_recipient: people, subject: "" }))[0]).toBe(
      "→ Ben Ito, Cleo",
    );
    expect(
      show({}, message({ type: "private", display_recipient: people.slice(0, 1), subject: "" }))[0],
    ).toBe("→ yourself");
  });

  test("a message of another day is shown with its date", () => {
    expect(show({}, message({ timestamp: noon - 24 * 3600 }))[1]).toBe("  2026-11-20 12:00 Dev Rao");
  });

  test("lines are wrapped at the width of the terminal, except in code", () => {
    const content = "one two three four five\n```\nlet long = 'one two three four';\n```";
    expect(show({ columns: 24 }, message({ content })).slice(2)).toEqual([
      "    one two three four",
      "    five",
      "    ```",
      "    let long = 'one two three four';",
      "    ```",
    ]);
  });

  test("a sender has the same color in every block", () => {
    const [, one = "", , , , two = ""] = show({ hasColors: true }, message({}), message({ subject: "walk" }));
    expect(one).toContain("\x1b[95mDev Rao\x1b[0m");
    expect(two).toBe(one);
  });

  test("a message can't send control sequences to the terminal", () => {
    const evil = "\x1b[2J\x1b]0;x\x07\x9b31m";
    const lines = show(
      {},
      message({ content: evil, subject: evil, display_recipient: evil, sender_full_name: `Eve\n${evil}` }),
    );
    expect(lines.join("")).not.toMatch(/\p{Cc}/u);
    expect(lines).toHaveLength(3);
  });
});
