// Notices of the service quote what people wrote. Here they write the names of channels.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { channels } from "../../channels/channel.ts";

let harness: Harness;
let leads: number;
let hall: number;
let square: number;
let count = 0;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  leads = (await harness.channel("leads", ["ada"], { isPrivate: true })).id;
  hall = (await harness.channel("hall", ["ada", "dev"])).id;
  square = (await harness.channel("square", ["ada"], { isWebPublic: true })).id;
});
afterAll(() => harness.close());

const LINKS = "#**leads** #**leads>plans** #**leads>plans@7** #**hall** #**square** #**no such channel**";

/** The ids of the channels to which the newest notice in a channel links. */
async function linkedIn(channel: string | number, reader: CastName = "ada"): Promise<number[]> {
  const narrow = [{ operator: "channel", operand: channel }];
  const params = { anchor: "newest", num_before: 1, num_after: 0, narrow };
  const [{ content, sender_full_name }] = (await harness.as(reader).get("/messages", params)).body.messages;
  expect(sender_full_name).toBe("Notification Bot");
  return idsIn(content);
}

function idsIn(html: string): number[] {
  return [...html.matchAll(/href="\/#narrow\/channel\/(\d+)-/g)].map(([, id]) => Number(id));
}

async function make(
  name: CastName,
  more: Record<string, unknown> = {},
): Promise<{ id: number; name: string }> {
  const channel = `made ${++count}`;
  await expectSuccess(
    harness.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: channel, ...more }] }),
  );
  return { id: harness.state.get(channels).findByName(channel)?.id as number, name: channel };
}

describe("a channel that may be unknown to the actor or to a reader stays text", () => {
  test("in the description of a new channel", async () => {
    const made = await make("dev", { description: LINKS });
    // There may be guests among the first subscribers.
    expect(await linkedIn(made.name)).toEqual([square]);
  });

  test("in a description that changes, on either side", async () => {
    const made = await make("dev", { description: LINKS });
    await expectSuccess(harness.as("dev").patch(`/streams/${made.id}`, { description: `new ${LINKS}` }));
    expect(await linkedIn(made.name)).toEqual([hall, square, hall, square]);
  });

  test("in a description that somebody changes who knows of the channel", async () => {
    const made = await make("dev", { description: "old" });
    await expectSuccess(harness.as("ada").patch(`/streams/${made.id}`, { description: LINKS }));
    expect(await linkedIn(made.name, "dev")).toEqual([hall, square]);
  });

  test("in a channel with guests", async () => {
    const made = await harness.channel(`made ${++count}`, ["ada", "gus"]);
    await expectSuccess(harness.as("ada").patch(`/streams/${made.id}`, { description: LINKS }));
    expect(await linkedIn(made.name, "gus")).toEqual([square]);
  });

  test("in a web-public channel", async () => {
    await expectSuccess(harness.as("ada").patch(`/streams/${square}`, { description: LINKS }));
    expect(await linkedIn("square")).toEqual([square]);
  });

  test("in a name, a topic or a folder", async () => {
    const made = await make("dev");
    const name = `#**leads** ${made.name}`;
    await expectSuccess(harness.as("dev").patch(`/streams/${made.id}`, { new_name: name }));
    expect(await linkedIn(made.id)).toEqual([]);
    const message = { type: "channel", to: made.id, topic: "x", content: "soup" };
    const { id } = await expectSuccess(harness.as("dev").post("/messages", message));
    for (const topic of ["#**leads**", "**#**leads>x", "leads>plans"]) {
      await expectSuccess(harness.as("dev").patch(`/messages/${id}`, { topic }));
      expect(await linkedIn(made.id)).toEqual([]);
    }
  });

  test("in a report and in what it quotes", async () => {
    const moderators = await harness.channel("moderators", ["ada", "cleo"], { isPrivate: true });
    await expectSuccess(harness.as("ada").patch("/realm", { moderation_request_channel_id: moderators.id }));
    const message = { type: "channel", to: "hall", topic: "x", content: LINKS };
    const { id } = await expectSuccess(harness.as("ada").post("/messages", message));
    await expectSuccess(
      harness.as("dev").post(`/messages/${id}/report`, { report_type: "other", description: LINKS }),
    );
    expect(await linkedIn("moderators", "cleo")).toEqual([hall, square, hall, hall, square]);
  });
});

describe("the service's own words link", () => {
  test("the private channel that somebody is subscribed to", async () => {
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: "leads" }],
        principals: [harness.user("elin").id],
      }),
    );
    const params = { anchor: "newest", num_before: 1, num_after: 0, narrow: [["is", "dm"]] };
    const [{ content }] = (await harness.as("elin").get("/messages", params)).body.messages;
    expect(idsIn(content)).toEqual([leads]);
  });

  test("the place of a reported message, also in a private channel", async () => {
    const message = { type: "channel", to: "leads", topic: "plans", content: "soup" };
    const { id } = await expectSuccess(harness.as("ada").post("/messages", message));
    await expectSuccess(harness.as("elin").post(`/messages/${id}/report`, { report_type: "spam" }));
    expect(await linkedIn("moderators", "cleo")).toEqual([leads]);
  });

  test("the channel that messages came from", async () => {
    const made = await make("dev");
    const message = { type: "channel", to: "hall", topic: "move me", content: "soup" };
    const { id } = await expectSuccess(harness.as("dev").post("/messages", message));
    await expectSuccess(harness.as("ada").patch(`/messages/${id}`, { stream_id: made.id }));
    expect(await linkedIn(made.name)).toEqual([hall]);
  });
});
