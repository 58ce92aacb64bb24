import { beforeEach, describe, expect, test } from "vitest";
import type { Conversation } from "../../../client/narrow.ts";
import { choosing } from "./begun-text.ts";
import { comeToRest, FakeBrowser, FakePage, FakeServer, settle } from "./fake-pages.ts";

const soup: Conversation = { kind: "channel", channelId: 5, topic: "soup" };
const open: Conversation = { kind: "channel", channelId: 5, topic: undefined };
const _ben: Conversation = { kind: "direct", userIds: [3] };

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

const answerAll = async () => {
  for (await settle(); server.calls.length > 0; await settle()) server.calls.shift()?.();
};

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

  test("lose nothing that one of them wrote over, also if its next save has begun meanwhile", async () => {
    const phone = new FakePage(server, new FakeBrowser());
    page.store.write(soup, "base", "");
    await comeToRest(server);
    phone.store.write(soup, "from the phone", "");
    phone.save();
    await answerAll();
    phone.store.leave(soup);
    for (const more of ["base, and more", "base, and more of it"]) {
      page.store.write(soup, more, "");
      page.save();
      await answerAll();
    }
    phone.handleEvents(1);
    phone.handleEvents(1);
    page.handleEvents(2);
    await comeToRest(server);
    expect(contents(page).sort()).toEqual(["base, and more of it", "from the phone"]);
  });
});

describe("saving", () => {
  // Earlier releases kept one number, and may be open in another tab during an update.
  test("goes on with a text that an earlier release was saving", async () => {
    const saved = {
      draftId: server.put(7, { type: "stream", to: [5], topic: "soup", content: "Shall" }),
      content: "Shall",
      place: "channel 5 soup",
    };
    const text = {
      place: soup,
      topic: "",
      content: "Shall we",
      changedAt: 1e15,
      saved,
      versions: [1],
      pending: 17,
    };
    page.close();
    browser.stored.set("texts.old", JSON.stringify({ ...text, id: "old" }));
    const later = new FakePage(server, browser);
    later.store.write(soup, "Shall we eat?", "");
    await comeToRest(server);
    expect([contents(later), onServer()]).toEqual([["Shall we eat?"], ["Shall we eat?"]]);
  });

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
