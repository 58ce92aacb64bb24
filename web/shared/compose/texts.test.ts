import { beforeEach, describe, expect, test } from "vitest";
import type { Conversation } from "../../../client/narrow.ts";
import { choosing, keepsMost, placeKey } from "./begun-text.ts";
import { comeToRest, FakeBrowser, FakePage, FakeServer, settle } from "./fake-pages.ts";

const soup: Conversation = { kind: "channel", channelId: 5, topic: "soup" };
const open: Conversation = { kind: "channel", channelId: 5, topic: undefined };
const ben: Conversation = { kind: "direct", userIds: [3] };

let server: FakeServer;
let browser: FakeBrowser;
let page: FakePage;
beforeEach(() => {
  server = new FakeServer();
  browser = new FakeBrowser();
  page = new FakePage(server, browser);
});

const contents = (of: FakePage) => of.store.list().map(({ content }) => content);
const onServer = () => [...server.drafts.values()].map(({ content }) => content);

describe("texts", () => {
  test("of a channel whose topic is open are not those of its topic without a name", () => {
    expect(placeKey(open)).not.toBe(placeKey({ ...open, topic: "" }));
    expect(placeKey({ ...open, topic: "Soup" })).toBe(placeKey(soup));
    expect(placeKey({ kind: "direct", userIds: [4, 3] })).toBe(placeKey({ kind: "direct", userIds: [3, 4] }));
  });

  test("are there again after a reload, with the topic that was typed", () => {
    page.store.write(open, "Half", "lun");
    page.close();
    const { content, topic } = new FakePage(server, browser).store.at(open) ?? {};
    expect([content, topic]).toEqual(["Half", "lun"]);
  });

  describe("of two tabs that write before they hear of each other", () => {
    const base = "A thought of which one more word is a small part";
    let other: FakePage;
    beforeEach(() => {
      browser = new FakeBrowser({ isLate: true });
      page = new FakePage(server, browser);
      page.store.write(soup, base, "");
      page.store.flush();
      other = new FakePage(server, browser);
    });
    const hearAll = () => {
      for (const tab of [page, other, page, other]) while (tab.heard.length > 0) tab.hear();
    };
    const write = (by: FakePage, more: string) => {
      by.store.write(soup, `${base}${more}`, "");
      by.store.flush();
    };

    test("are both kept, in both tabs", () => {
      write(page, " one");
      write(other, " two");
      hearAll();
      for (const each of [page, other]) expect(contents(each).sort()).toEqual([`${base} one`, `${base} two`]);
    });

    test("are one text if the one says all that the other does", () => {
      write(page, " one");
      other.store.noteVersion(other.store.at(soup)?.id ?? "", { content: base, place: placeKey(soup) }, 1);
      hearAll();
      for (const each of [page, other]) expect(contents(each)).toEqual([`${base} one`]);
    });

    test("are kept where the other tab sends what it has", () => {
      write(page, " one");
      other.store.removeIfSent(soup, base);
      hearAll();
      expect(contents(page)).toEqual([`${base} one`]);
    });

    test("are gone where the other tab has sent the same", () => {
      write(page, " one");
      hearAll();
      other.store.removeIfSent(soup, `${base} one`);
      hearAll();
      for (const each of [page, other]) expect(contents(each)).toEqual([]);
      expect(browser.stored.size).toBe(0);
    });
  });

  test("are removed only if they are what was sent", () => {
    page.store.write(soup, "one", "");
    page.store.removeIfSent(soup, "two");
    expect(contents(page)).toEqual(["one"]);
    page.store.removeIfSent(soup, "one ");
    expect(contents(page)).toEqual([]);
  });

  test("that are begun with do not replace what stands in the box, which is shown on request", () => {
    page.store.write(soup, "standing", "");
    page.store.begin(soup, "failed");
    expect(page.store.at(soup)?.content).toBe("failed");
    const [other] = page.store.listOthers(soup);
    expect(other?.content).toBe("standing");
    page.store.show(other?.id ?? "");
    expect(page.store.at(soup)?.content).toBe("standing");
  });

  test("leave the box empty once they are sent, whatever else was begun there, until it is left", () => {
    page.store.write(soup, "standing", "");
    page.store.begin(soup, "failed");
    page.store.removeIfSent(soup, "failed");
    expect(page.store.at(soup)).toBeUndefined();
    expect(page.store.listOthers(soup).map(({ content }) => content)).toEqual(["standing"]);
    page.store.leave(soup);
    expect(page.store.at(soup)?.content).toBe("standing");
  });

  test("go along to a chosen place, where an older one is kept behind them", () => {
    page.store.write(ben, "old", "");
    page.store.leave(ben);
    page.store.write({ kind: "direct", userIds: [] }, "new", "");
    expect(page.store.takeAlong({ kind: "direct", userIds: [] }, ben)).toBe(true);
    expect(page.store.at(ben)?.content).toBe("new");
    expect(page.store.listOthers(ben).map(({ content }) => content)).toEqual(["old"]);
  });

  test("take a typed topic along to another channel, and drop it for people", () => {
    page.store.write(choosing, "", "lunch");
    page.store.takeAlong(choosing, open);
    expect(page.store.at(open)?.topic).toBe("lunch");
    page.store.write(open, "Hi", "lunch");
    page.store.takeAlong(open, ben);
    expect(page.store.at(ben)?.topic).toBe("");
  });

  test("follow their topic, open and closed ones, on the server too", async () => {
    page.store.write(soup, "to be continued", "");
    const edit = { kind: "edit", messageId: 9, to: soup } as const;
    page.store.write(edit, "corrected", "", "wrong");
    await comeToRest(server);
    server.emit({
      kind: "move",
      move: { from: { channelId: 5, topic: "soup" }, to: { channelId: 6, topic: "stew" } },
    });
    await comeToRest(server);
    const stew = { kind: "channel", channelId: 6, topic: "stew" } as const;
    expect(page.store.at(stew)?.content).toBe("to be continued");
    expect(page.store.at(edit)?.place).toMatchObject({ to: stew });
    expect([...server.drafts.values()].map(({ to }) => to)).toEqual([stew]);
  });

  test("of a hundred and more are kept for the newest, and those of the server go first", () => {
    for (let count = 1; count <= 103; count++)
      page.store.write({ kind: "direct", userIds: [count] }, `${count}`, "");
    page.store.flush();
    expect(browser.stored.size).toBe(100);
    expect([...browser.stored.values()].some((stored) => stored.includes('"content":"103"'))).toBe(true);
  });

  test("have a place replaced wherever they have gone meanwhile", () => {
    page.store.write(open, "a [up]() b", "");
    page.store.takeAlong(open, ben);
    expect(page.store.replaceIn(open, "[up]()", "[file](/1$&)")).toBe(true);
    expect(page.store.at(ben)?.content).toBe("a [file](/1$&) b");
    expect(page.store.replaceIn(open, "[up]()", "")).toBe(false);
  });

  test("that cannot be read are as if they had never been there", () => {
    page.close();
    browser.stored.set("texts.a", "{");
    browser.stored.set("texts.b", '{"content":5}');
    expect(contents(new FakePage(server, browser))).toEqual([]);
    expect(browser.stored.size).toBe(0);
  });
});

describe("two tabs", () => {
  test("show what is typed in the other one where nothing was typed", async () => {
    const other = new FakePage(server, browser);
    page.store.write(soup, "from the first", "");
    page.store.flush();
    other.hear();
    expect([other.store.at(soup)?.content, other.changes]).toEqual(["from the first", 1]);
    page.store.removeIfSent(soup, "from the first");
    other.hear();
    expect(contents(other)).toEqual([]);
  });

  test("keep both texts if both were typed in, and sending one leaves the other", async () => {
    const other = new FakePage(server, browser);
    page.store.write(soup, "a long thought", "");
    other.store.write(soup, "ok", "");
    await comeToRest(server);
    other.store.removeIfSent(soup, "ok");
    await comeToRest(server);
    page.store.leave(soup);
    expect(page.store.at(soup)?.content).toBe("a long thought");
    expect(onServer()).toEqual(["a long thought"]);
  });

  test("keep a text that the other one replaces by another", async () => {
    const other = new FakePage(server, browser);
    page.store.write(soup, "a long thought", "");
    await comeToRest(server);
    other.store.write(soup, "ok", "");
    other.store.removeIfSent(soup, "ok");
    await comeToRest(server);
    expect(page.store.at(soup)?.content).toBe("a long thought");
    expect(onServer()).toEqual(["a long thought"]);
  });

  test("save a text that both know once", async () => {
    const other = new FakePage(server, browser);
    page.store.write(soup, "one", "");
    await comeToRest(server);
    other.store.write(soup, "one two", "");
    await comeToRest(server);
    page.store.write(soup, "one two three", "");
    await comeToRest(server);
    expect(onServer()).toEqual(["one two three"]);
  });

  test("leave no copy of a text that is sent while its draft is being created", async () => {
    const other = new FakePage(server, browser);
    page.store.write(soup, "one", "");
    page.save();
    await settle();
    server.calls.shift()?.();
    page.store.removeIfSent(soup, "one");
    other.handleEvents();
    await comeToRest(server);
    expect([contents(page), contents(other), onServer()]).toEqual([[], [], []]);
  });

  test("send a text and its copy as one, also if its topic was moved by the other one", async () => {
    const other = new FakePage(server, browser);
    page.store.write(soup, "one", "");
    page.store.keep(soup, "one");
    await comeToRest(server);
    other.store.move([{ from: { channelId: 5, topic: "soup" }, to: { channelId: 5, topic: "stew" } }]);
    page.store.removeIfSent(soup, "one");
    await comeToRest(server);
    expect([contents(page), contents(other), onServer()]).toEqual([[], [], []]);
  });

  test("do not take an older change for the reason why a text is gone", async () => {
    const other = new FakePage(server, browser);
    page.store.write(soup, "one", "");
    page.store.flush();
    other.hear();
    page.store.write(soup, "one two", "");
    page.store.flush();
    other.store.flush();
    other.store.refresh(page.store.at(soup)?.id ?? "");
    other.store.write(soup, "one two", "");
    other.store.flush();
    page.store.removeIfSent(soup, "one two");
    while (other.heard.length > 0) other.hear();
    expect(contents(other)).toEqual([]);
  });

  test("keep a text whose draft was made again beside the one that it had", async () => {
    server.put(7, { type: "stream", to: [5], topic: "soup", content: "one" });
    page.handleEvents();
    page.store.write(soup, "one two", "");
    page.store.setSaved("d7", undefined);
    server.put(7, { type: "stream", to: [5], topic: "soup", content: "from the phone" });
    await comeToRest(server);
    expect(contents(page).sort()).toEqual(["from the phone", "one two"]);
  });
});

test("an edit of a text keeps most of it, and another text does not", () => {
  expect(keepsMost("helo world", "hello world")).toBe(true);
  expect(keepsMost("a long thought", "ok")).toBe(false);
  expect(keepsMost("aa", "a")).toBe(true);
});
