import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventNames, everybody, followAll } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { changeState } from "../../people/viewer/change.ts";
import { createChannel, type NewChannel } from "./create.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const make = (name: CastName, request: NewChannel) =>
  changeState(harness.user(name).viewer, (tx) => createChannel(tx, request));

describe("a new channel", () => {
  test("is sent to everyone in the organization except guests", async () => {
    const heard = await followAll(harness, everybody, () => make("dev", { name: "open" }));
    for (const name of ["ada", "ben", "cleo", "dev", "elin", "echo"]) {
      expect(eventNames(heard[name]), name).toEqual(["stream/create"]);
    }
    for (const name of ["gus", "zed"]) expect(heard[name], name).toEqual([]);
    expect(heard.dev?.[0]?.streams).toMatchObject([
      { name: "open", subscriber_count: 0, creator_id: harness.user("dev").id },
    ]);
  });

  test("that is private is sent only to its creator and administrators", async () => {
    const heard = await followAll(harness, everybody, () => make("dev", { name: "closed", isPrivate: true }));
    for (const name of ["ada", "ben", "dev"])
      expect(eventNames(heard[name]), name).toEqual(["stream/create"]);
    for (const name of ["cleo", "elin", "gus", "echo", "zed"]) expect(heard[name], name).toEqual([]);
  });

  test("that is web-public is sent to guests too", async () => {
    const heard = await followAll(harness, ["gus", "zed"], () =>
      make("ada", { name: "window", isWebPublic: true }),
    );
    expect(eventNames(heard.gus)).toEqual(["stream/create"]);
    expect(heard.zed).toEqual([]);
  });

  test("that is a default channel is listed as one, for everyone except guests", async () => {
    const heard = await followAll(harness, ["dev", "gus"], () =>
      changeState(harness.user("ada").viewer, async (tx) => {
        await createChannel(tx, { name: "first", isDefault: true });
        await createChannel(tx, { name: "second", isDefault: true });
      }),
    );
    expect(eventNames(heard.dev)).toEqual([
      "stream/create",
      "default_streams",
      "stream/create",
      "default_streams",
    ]);
    expect(heard.dev?.[3]?.default_streams).toHaveLength(2);
    expect(heard.gus).toEqual([]);
  });

  test("needs a name that no other channel has, ignoring case", async () => {
    await make("ada", { name: "Straße" });
    await expect(make("dev", { name: "straße" })).rejects.toThrow("already taken");
    await expect(make("dev", { name: " STRASSE " })).rejects.toThrow("already taken");
    await expect(make("dev", { name: "Strasze" })).resolves.toBeDefined();
  });

  test("has a description of one line and at most 1,024 characters, which mentions nobody", async () => {
    const { description, renderedDescription } = await make("ada", {
      name: "described",
      description: " @**Dev Rao** says\r\n\r\n<b>hi</b> ",
    });
    expect(description).toBe("@**Dev Rao** says <b>hi</b>");
    expect(renderedDescription).not.toContain("user-mention");
    expect(renderedDescription).toContain("&lt;b&gt;");
    await expect(make("ada", { name: "wordy", description: "x".repeat(1025) })).rejects.toThrow("too long");
  });
});
