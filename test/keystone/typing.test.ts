import { afterAll, beforeAll, expect, test } from "vitest";
import { everybody, expectSilence, followAll, forms, names, startAll } from "../follow.ts";
import { type CastName, createWorld, type World } from "../world.ts";

let w: World;
let kitchen: number;
beforeAll(async () => {
  w = await createWorld();
  kitchen = (await w.channel("kitchen", ["ada", "ben", "dev", "gus"])).id;
});
afterAll(() => w.close());

async function type(name: CastName, params: Record<string, unknown>): Promise<void> {
  const { status, body } = await w.as(name).post("/typing", params);
  expect(status, JSON.stringify(body)).toBe(200);
}

const inKitchen = (op: string) => type("dev", { type: "channel", op, stream_id: kitchen, topic: "lunch" });
const directly = (op: string, to: CastName[]) => type("dev", { op, to: to.map((name) => w.user(name).id) });

test("who writes in a channel is shown to its subscribers until they stop", async () => {
  const [follower] = await startAll(w, ["ada"], { forms: [forms.modern] });
  const place = { kind: "channel", channelId: kitchen, topic: "lunch" } as const;
  await inKitchen("start");
  await follower?.catchUp();
  expect(follower?.model.typing.in(place)).toEqual([w.user("dev").id]);
  await inKitchen("stop");
  await follower?.catchUp();
  expect(follower?.model.typing.in(place)).toEqual([]);
});

test("writing in a channel is told to subscribers alone, and leaves the models true", () =>
  expectSilence(w, { hears: "gus", silent: ["cleo", "elin", "echo", "zed"] }, () => inKitchen("start")));

test("clients that do not know of writing in channels are not told", async () => {
  const heard = await followAll(w, ["ada"], () => inKitchen("start"), { forms: [forms.plain] });
  expect(heard.ada).toEqual([]);
});

test("writing a direct message is told to its people", async () => {
  const heard = await followAll(w, everybody, () => directly("start", ["ada", "gus"]));
  expect(names(heard.ada)).toEqual(["typing/start"]);
  expect(names(heard.gus)).toEqual(["typing/start"]);
  for (const name of ["ben", "cleo", "elin", "echo", "zed"]) expect(heard[name], name).toEqual([]);
});
