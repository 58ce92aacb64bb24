import { expect, test } from "vitest";
import { Messages } from "../model/messages.ts";
import { changeReaders } from "./message-changes.ts";
import { bringUpToDate, MessageRequests } from "./message-requests.ts";

const ofMessages = Object.keys(new Messages().handlers);
const types = [...new Set([...ofMessages, ...Object.keys(changeReaders)])];

test.each(types)("an answer comes with the events since its request, also of the type %s", async (type) => {
  const requests = new MessageRequests();
  const asked = requests.ask(async () => "reply");
  requests.note({ id: 1, type });
  expect(await asked).toMatchObject({ reply: "reply", since: [{ id: 1, type }], isOver: false });
});

test("events that change neither messages nor narrows are not collected", async () => {
  const requests = new MessageRequests();
  const asked = requests.ask(async () => "reply");
  requests.note({ id: 1, type: "presence" });
  expect((await asked).since).toEqual([]);
});

test("what changes only which messages match changes none of them", () => {
  const since = types.filter((type) => !ofMessages.includes(type)).map((type, id) => ({ id, type }));
  expect(since.map(({ type }) => type)).toEqual(["user_topic", "realm_user"]);
  expect(bringUpToDate([], since).byId.size).toBe(0);
});
