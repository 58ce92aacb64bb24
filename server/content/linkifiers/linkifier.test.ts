import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { followAll, startAll } from "../../../test/harness/follow.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { OrganizationState } from "../../platform/log/organization-state.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { linkifiers } from "./linkifier.ts";
import { listLinkifiers } from "./store.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev", "gus"]);
  await add("#(?P<id>[0-9]+)", "https://recipes.example/{id}", 1);
  await add("#(?P<id>[0-9]+)|pot(?P<id>[0-9]", "https://broken.example/{id}", 0);
});
afterAll(() => harness?.close());

/** Changes the rows, and the nodes' memory with them. */
async function add(pattern: string, urlTemplate: string, order: number): Promise<void> {
  const { organizationId } = harness.state;
  await runStateChange(harness.state, async (tx) => {
    await tx.query(sql`
      insert into linkifiers (organization_id, pattern, url_template, sort_order)
      values (${organizationId}, ${pattern}, ${urlTemplate}, ${order})`);
    tx.appendPatch(patchOf(linkifiers, await listLinkifiers(tx, organizationId)));
  });
}

async function say(topic: string, content: string): Promise<number> {
  const { status, body } = await harness
    .as("dev")
    .post("/messages", { type: "channel", to: "kitchen", topic, content });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

const shown = async (id: number) => (await harness.as("gus").get(`/messages/${id}`)).body.message;
const recipe = (id: number) => ({ text: `#${id}`, url: `https://recipes.example/${id}` });

describe("an organization's pattern", () => {
  test("makes links in a message's text", async () => {
    const { content } = await shown(await say("lunch", "As in #12, with salt"));
    expect(content).toBe('<p>As in <a href="https://recipes.example/12">#12</a>, with salt</p>');
  });

  test("makes links in text that has no other syntax", async () => {
    await add("pot(?P<id>[0-9]+)", "https://pots.example/{id}", 2);
    const { content } = await shown(await say("lunch", "In pot3 and pot4"));
    expect(content).toContain(
      '<a href="https://pots.example/3">pot3</a> and <a href="https://pots.example/4">',
    );
    expect((await shown(await say("lunch", "In pots"))).content).toBe("<p>In pots</p>");
  });

  test("makes topic_links for a topic's name, in the event, in listings and after a move", async () => {
    const people = await startAll(harness, ["gus"]);
    const id = await say("soup #12 and #13", "Hm?");
    const moved = await say("lunch", "Hm?");
    const { status } = await harness.as("dev").patch(`/messages/${moved}`, { topic: "bread #14" });
    expect(status).toBe(200);
    for (const follower of people) await follower.catchUp();
    for (const follower of people) await follower.compare();
    const events = people[0]?.events ?? [];
    expect(events[0]?.message).toMatchObject({ id, topic_links: [recipe(12), recipe(13)] });
    const update = events.find(({ type }) => type === "update_message");
    expect(update).toMatchObject({ topic_links: [recipe(14)] });
    expect((await shown(id)).topic_links).toEqual([recipe(12), recipe(13)]);
    expect((await shown(moved)).topic_links).toEqual([recipe(14)]);
  });

  test("makes no links after it is removed", async () => {
    await add("kettle(?P<id>[0-9]+)", "https://kettles.example/{id}", 3);
    const id = await say("kettle1", "kettle1");
    expect((await shown(id)).topic_links).toHaveLength(1);
    await runStateChange(harness.state, async (tx) => {
      await tx.query(sql`delete from linkifiers where pattern like 'kettle%'`);
      tx.appendPatch(patchOf(linkifiers, await listLinkifiers(tx, harness.state.organizationId)));
    });
    expect((await shown(id)).topic_links).toEqual([]);
    expect((await shown(await say("lunch", "kettle1"))).content).toBe("<p>kettle1</p>");
  });

  test("has no effect in other organizations", async () => {
    const { body } = await harness.as("zed").post("/messages/render", { content: "As in #12" });
    expect(body.rendered).toBe("<p>As in #12</p>");
  });
});

test("a node that starts reads the patterns from their rows", async () => {
  const state = await OrganizationState.load(
    harness.services.database,
    harness.state.organizationId,
    harness.state.parts,
  );
  expect(state.get(linkifiers).rows).toEqual(harness.state.get(linkifiers).rows);
  expect(state.get(linkifiers).linksIn("#12")).toEqual([recipe(12)]);
});

test("realm_linkifiers has them in their order, for clients that know URL templates", async () => {
  const list = async (client_capabilities: Record<string, boolean>) => {
    const asked = { fetch_event_types: ["realm_linkifiers"], client_capabilities };
    return (await harness.as("gus").post("/register", asked)).body.realm_linkifiers;
  };
  const rows = await list({ notification_settings_null: true, linkifier_url_template: true });
  expect(rows.map(({ url_template }: { url_template: string }) => url_template).slice(0, 2)).toEqual([
    "https://broken.example/{id}",
    "https://recipes.example/{id}",
  ]);
  expect(rows[1]).toEqual({
    id: expect.any(Number),
    pattern: "#(?P<id>[0-9]+)",
    url_template: "https://recipes.example/{id}",
  });
  expect(await list({ notification_settings_null: true })).toEqual([]);
});

test("patterns that would make a backtracking engine hang, many of them, leave a long message its budget", async () => {
  for (let n = 0; n < 20; n++) await add(`(?P<id>(a|aa|a*)*)b${n}`, `https://slow.example/${n}/{id}`, 10 + n);
  await say("warm", "up");
  const began = process.cpuUsage();
  await say("lunch", "a".repeat(9_000));
  await say("a".repeat(60), `${"*a* ".repeat(2_000)}`);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000, "milliseconds").toBeLessThan(2_000);
  await followAll(harness, ["gus"], () => say("a".repeat(60), "aaaa"));
});
