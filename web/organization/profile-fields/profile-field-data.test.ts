import { expect, test } from "vitest";
import { moved } from "../../ui/order.ts";
import { emojiNameOf } from "../emoji/emoji-name.ts";
import { mergeOptions, optionsIn, serviceIn, writeOptions, writeService } from "./profile-field-data.ts";

test("options keep their keys and their order, and new ones get free keys", () => {
  const stored = '{"1":{"text":"Emacs","order":"2"},"0":{"text":"Vim","order":"1"}}';
  const options = optionsIn(stored);
  expect(options.map(({ text }) => text)).toEqual(["Vim", "Emacs"]);
  const [vim, emacs] = options;
  if (!vim || !emacs) throw new Error("The options are gone.");
  const added = [emacs, { key: undefined, text: " Nano " }, vim, { key: undefined, text: " " }];
  expect(writeOptions(added)).toEqual({
    0: { text: "Vim", order: "3" },
    1: { text: "Emacs", order: "1" },
    2: { text: "Nano", order: "2" },
  });
});

test("a new option does not get the key of one that is removed", () => {
  const before = [
    { key: "0", text: "Vim" },
    { key: "1", text: "Emacs" },
  ];
  const mine = [
    { key: "0", text: "Vim" },
    { key: undefined, text: "Nano" },
  ];
  expect(writeOptions(mine, before)).toEqual({
    0: { text: "Vim", order: "1" },
    2: { text: "Nano", order: "2" },
  });
});

test("what another person did to the options meanwhile stays, and so does what was done here", () => {
  const option = (key: string | undefined, text: string) => ({ key, text });
  const before = [option("0", "Vim"), option("1", "Emacs"), option("2", "Ed")];
  const mine = [option("1", "GNU Emacs"), option("0", "Vim"), option(undefined, "Nano")];
  const now = [option("0", "Vi"), option("1", "Emacs"), option("2", "Ed"), option("3", "Pico")];
  expect(mergeOptions(before, mine, now)).toEqual([
    option("1", "GNU Emacs"),
    option("0", "Vi"),
    option(undefined, "Nano"),
    option("3", "Pico"),
  ]);
  expect(mergeOptions(before, before, now.slice(1))).toEqual(now.slice(1));
});

test("a service is one of the list, or has an address of its own", () => {
  expect(serviceIn("")).toEqual({ subtype: "custom", urlPattern: "" });
  const known = serviceIn('{"subtype":"github"}');
  expect(writeService(known)).toEqual({ subtype: "github" });
  const other = { subtype: "custom", urlPattern: "https://a.example/%(username)s" };
  expect(writeService(other)).toEqual({ subtype: "custom", url_pattern: other.urlPattern });
});

test("something moves by its buttons, and not over the ends", () => {
  expect(moved([1, 2, 3], 3, -1)).toEqual([1, 3, 2]);
  expect(moved([1, 2, 3], 1, 1)).toEqual([2, 1, 3]);
  expect(moved([1, 2, 3], 3, 1)).toEqual([1, 2, 3]);
});

test("the name of a file becomes one that an emoji can have", () => {
  expect(emojiNameOf("Party Soup.PNG")).toBe("party_soup");
  expect(emojiNameOf("_Äpfel!.gif")).toBe("pfel");
});
