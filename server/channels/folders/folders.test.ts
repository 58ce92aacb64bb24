import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
let count = 0;
let fresh = "";
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(() => {
  fresh = `folder ${++count}`;
});

interface Folder {
  id: number;
  name: string;
  is_archived: boolean;
  order: number;
}

const create = (params: Record<string, unknown>) => harness.as("ben").post("/channel_folders/create", params);
const change = (id: number, params: Record<string, unknown>) =>
  harness.as("ben").patch(`/channel_folders/${id}`, params);
const reorder = (order: unknown) => harness.as("ben").patch("/channel_folders", { order });
const list = async (params: Record<string, unknown> = { include_archived: true }): Promise<Folder[]> =>
  (await harness.as("gus").get("/channel_folders", params)).body.channel_folders;
const find = async (id: number) => (await list()).find((folder) => folder.id === id);
const make = async (name = fresh): Promise<number> => (await create({ name })).body.channel_folder_id;

async function refused(answer: Promise<{ status: number; body: { code?: string; msg: string } }>) {
  const before = await list();
  const { status, body } = await answer;
  expect([status, body.code], body.msg).toEqual([400, "BAD_REQUEST"]);
  expect(await list()).toEqual(before);
}

test("administrators make, change and order folders, and everyone sees them", async () => {
  const id = await make();
  for (const name of ["cleo", "dev", "gus", "echo"] as const) {
    for (const { status, body } of [
      await harness.as(name).post("/channel_folders/create", { name: "mine" }),
      await harness.as(name).patch(`/channel_folders/${id}`, { name: "mine" }),
      await harness.as(name).patch("/channel_folders", { order: [id] }),
    ]) {
      expect([status, body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    }
  }
  expect(await find(id)).toMatchObject({ name: fresh });
});

describe("a new folder", () => {
  test("is last in the order, and has its description as HTML", async () => {
    const { body } = await create({ name: ` ${fresh} `, description: "What we *make*\nand sell" });
    const folders = await list();
    expect(folders.at(-1)).toEqual({
      id: body.channel_folder_id,
      name: fresh,
      description: "What we *make* and sell",
      rendered_description: "<p>What we <em>make</em> and sell</p>",
      creator_id: harness.user("ben").id,
      date_created: expect.any(Number),
      is_archived: false,
      order: folders.length - 1,
    });
  });

  test("has a unique name of at most 60 characters", async () => {
    await make();
    await refused(create({ name: fresh.toUpperCase() }));
    await refused(create({ name: "  " }));
    await refused(create({ name: "x".repeat(61) }));
    await refused(create({ name: "new", description: "x".repeat(1025) }));
    expect((await create({ name: "🌱".repeat(60) })).status).toBe(200);
  });

  test("has a name that can be shown", async () => {
    await refused(create({ name: `${fresh}\u0007` }));
    await refused(change(await make(), { name: "tab\there" }));
  });

  test("may take the name of an archived folder, which then can't be unarchived under that name", async () => {
    const old = await make();
    await change(old, { is_archived: true });
    const id = await make();
    await refused(change(old, { is_archived: false }));
    await change(old, { is_archived: false, name: `${fresh} old` });
    expect([await find(id), await find(old)]).toMatchObject([{ name: fresh }, { name: `${fresh} old` }]);
  });

  test("belongs to one organization", async () => {
    const id = await make();
    const { status } = await harness.as("zed").post("/channel_folders/create", { name: fresh });
    expect(status).toBe(200);
    expect((await harness.as("zed").patch(`/channel_folders/${id}`, { name: "taken over" })).status).toBe(
      400,
    );
    expect(await find(id)).toMatchObject({ name: fresh });
  });
});

describe("a folder that changes", () => {
  test("keeps what is not given", async () => {
    const id = await make();
    await change(id, { description: "**Us**" });
    await change(id, { name: `${fresh} new` });
    expect(await find(id)).toMatchObject({
      name: `${fresh} new`,
      description: "**Us**",
      rendered_description: "<p><strong>Us</strong></p>",
    });
    await change(id, { description: "" });
    expect(await find(id)).toMatchObject({ description: "", rendered_description: "" });
  });

  test("may change the case of its name, but can't take another folder's name", async () => {
    const id = await make();
    expect((await change(id, { name: fresh.toUpperCase() })).status).toBe(200);
    await make(`${fresh} other`);
    await refused(change(id, { name: `${fresh} OTHER` }));
    await refused(change(id, { name: "" }));
    await refused(change(99999, { name: "x" }));
  });

  test("can be archived when no channel is in it, and is then listed only on request", async () => {
    const id = await make();
    const channel = await harness.channel(fresh, []);
    await harness.as("ben").patch(`/streams/${channel.id}`, { folder_id: id });
    await refused(change(id, { is_archived: true }));
    await harness.as("ben").delete(`/streams/${channel.id}`);
    await refused(change(id, { is_archived: true }));
    await harness.as("ben").patch(`/streams/${channel.id}`, { folder_id: null });
    expect((await change(id, { is_archived: true })).status).toBe(200);
    expect((await list({})).map((folder) => folder.id)).not.toContain(id);
    expect(await find(id)).toMatchObject({ is_archived: true });
    expect((await change(id, { description: "dusty" })).status).toBe(200);
    expect((await change(id, { is_archived: false })).status).toBe(200);
    expect(await find(id)).toMatchObject({ is_archived: false });
  });
});

describe("the order of folders", () => {
  test("must name each folder once, archived folders too", async () => {
    await make();
    await change(await make(`${fresh} archived`), { is_archived: true });
    const order = (await list()).map(({ id }) => id);
    for (const wrong of [
      [],
      order.slice(1),
      [...order, 99999],
      [...order.slice(1), 99999],
      [...order, order[0]],
      [...order.slice(1), order[1]],
    ]) {
      await refused(reorder(wrong));
    }
    const turned = [...order].reverse();
    expect((await reorder(turned)).status).toBe(200);
    expect((await list()).map(({ id, order: place }) => [id, place])).toEqual(
      turned.map((id, place) => [id, place]),
    );
  });

  test("has a new folder last, also in a snapshot", async () => {
    const id = await make();
    expect((await list()).at(-1)?.id).toBe(id);
    const { body } = await harness.as("gus").post("/register", { fetch_event_types: ["channel_folders"] });
    expect(body.channel_folders).toEqual(await list());
  });
});
