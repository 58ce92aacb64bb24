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
      for (const one of [page, other, page, other]) while (one.heard.length > 0) one.hear();
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
    expect([...browser.stored.values()].some((one) => one.includes('"content":"103"'))).toBe(true);
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
});

describe("two devices", () => {
  test("lose a draft that the other one has sent, unless it was changed since", async () => {
    const phone = new FakePage(server, new FakeBrowser());
    page.store.write(soup, "to be sent", "");
    await comeToRest(server);
    phone.store.removeIfSent(soup, "to be sent");
    await comeToRest(server);
    expect([contents(page), browser.stored.size, onServer()]).toEqual([[], 0, []]);
    page.store.write(soup, "again", "");
    await comeToRest(server);
    phone.store.removeIfSent(soup, "again");
    page.store.write(soup, "again, and more", "");
    await comeToRest(server);
    expect([contents(page), onServer()]).toEqual([["again, and more"], ["again, and more"]]);
  });

  test("lose it too if they were away meanwhile", async () => {
    const phone = new FakePage(server, new FakeBrowser());
    page.store.write(soup, "to be sent", "");
    await comeToRest(server);
    page.close();
    phone.store.removeIfSent(soup, "to be sent");
    await comeToRest(server);
    expect(contents(new FakePage(server, browser))).toEqual([]);
  });

  test("take over a newer text, and keep their own beside one that contradicts", async () => {
    const phone = new FakePage(server, new FakeBrowser());
    page.store.write(soup, "Shall we", "");
    await comeToRest(server);
    phone.store.write(soup, "Shall we eat?", "");
    await comeToRest(server);
    expect(contents(page)).toEqual(["Shall we eat?"]);
    page.store.write(soup, "Shall we eat? Now?", "");
    phone.store.write(soup, "Never mind", "");
    await comeToRest(server);
    expect(contents(page).sort()).toEqual(["Never mind", "Shall we eat? Now?"]);
    expect(onServer().sort()).toEqual(["Never mind", "Shall we eat? Now?"]);
  });

  test("lose nothing that one of them wrote over, also if it is sent before that is heard of", async () => {
    const phone = new FakePage(server, new FakeBrowser());
    const answerAll = async () => {
      for (await settle(); server.calls.length > 0; await settle()) server.calls.shift()?.();
    };
    page.store.write(soup, "base", "");
    await comeToRest(server);
    phone.store.write(soup, "from the phone", "");
    phone.save();
    await answerAll();
    phone.store.leave(soup);
    page.store.write(soup, "base, and more", "");
    page.save();
    await answerAll();
    phone.handleEvents(1);
    phone.handleEvents(1);
    expect(contents(phone)).toEqual(["base, and more"]);
    page.store.removeIfSent(soup, "base, and more");
    page.save();
    await answerAll();
    page.handleEvents(Infinity);
    expect(contents(page)).toEqual(["from the phone"]);
  });
});

describe("saving", () => {
  test("creates one draft, however the answer and its event come", async () => {
    page.store.write(soup, "one", "");
    page.save();
    await settle();
    server.calls.shift()?.();
    page.store.write(soup, "one two", "");
    page.save();
    page.handleEvents();
    expect(contents(page)).toEqual(["one two"]);
    await comeToRest(server);
    expect(onServer()).toEqual(["one two"]);
  });

  test.each([0, 1, 2])("leaves no draft of a text that was sent meanwhile, after %i steps", async (steps) => {
    page.store.write(soup, "quick", "");
    page.save();
    await settle();
    for (let count = 0; count < steps; count++) {
      server.calls.shift()?.();
      await settle();
    }
    page.store.removeIfSent(soup, "quick");
    await comeToRest(server);
    expect([contents(page), onServer(), browser.stored.size]).toEqual([[], [], 0]);
  });

  test("leaves a text that is too long for the server in the browser", async () => {
    page.store.write(soup, "😀".repeat(10_001), "");
    await comeToRest(server);
    expect(onServer()).toEqual([]);
    page.store.write(soup, "😀".repeat(10_000), "");
    await comeToRest(server);
    expect(onServer()).toHaveLength(1);
  });

  test("keeps a text for nobody yet, and one with an open topic in the browser alone", async () => {
    page.store.write(choosing, "somewhere", "");
    page.store.write(open, "here", "");
    await comeToRest(server);
    expect([...server.drafts.values()].map(({ to, content }) => [to.kind, content])).toEqual([
      ["nobody", "somewhere"],
    ]);
    expect(contents(page).sort()).toEqual(["here", "somewhere"]);
  });
});

test("an edit of a text keeps most of it, and another text does not", () => {
  expect(keepsMost("helo world", "hello world")).toBe(true);
  expect(keepsMost("a long thought", "ok")).toBe(false);
  expect(keepsMost("aa", "a")).toBe(true);
});
