import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { OrganizationState } from "../../platform/log/organization-state.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { customEmoji } from "./custom-emoji.ts";
import { listCustomEmoji } from "./store.ts";

let harness: Harness;
let id: number;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
  const ada = harness.user("ada").id;
  await change(sql`
    insert into custom_emoji (organization_id, name, file_name, is_animated, author_id, deactivated_at)
    values (${harness.state.organizationId}, 'party_soup', 'old.png', false, ${ada}, now()),
      (${harness.state.organizationId}, 'party_soup', 'new.gif', true, ${ada}, null),
      (${harness.state.organizationId}, 'octopus', 'ours.png', false, null, null)`);
  id = harness.state.get(customEmoji).findByName("party_soup")?.id as number;
});
afterAll(() => harness?.close());

/** Changes the rows, and the nodes' memory with them. */
async function change(statement: ReturnType<typeof sql>): Promise<void> {
  await runStateChange(harness.state, async (tx) => {
    await tx.query(statement);
    tx.appendPatch(patchOf(customEmoji, await listCustomEmoji(tx, harness.state.organizationId)));
  });
}

const render = async (name: "dev" | "zed", content: string) =>
  (await harness.as(name).post("/messages/render", { content })).body.rendered;
const root = () => `/user_avatars/${harness.state.organizationId}/emoji/images`;

test("a custom emoji is rendered by its name, instead of a Unicode emoji of that name", async () => {
  expect(await render("dev", ":party_soup:")).toBe(
    `<p><img alt=":party_soup:" class="emoji" src="${root()}/new.gif" title="party soup"></p>`,
  );
  expect(await render("dev", ":octopus:")).toContain(`src="${root()}/ours.png"`);
  expect(await render("zed", ":party_soup: :octopus:")).not.toContain("<img");
});

test("realm_emoji has all custom emoji, including deactivated ones", async () => {
  const { body } = await harness.as("dev").post("/register", { fetch_event_types: ["realm_emoji"] });
  expect(Object.keys(body.realm_emoji)).toHaveLength(3);
  const author_id = harness.user("ada").id;
  expect(body.realm_emoji[id]).toEqual({
    id: `${id}`,
    name: "party_soup",
    source_url: `${root()}/new.gif`,
    still_url: `${root()}/still/new.png`,
    deactivated: false,
    author_id,
  });
  const old = Object.values<{ deactivated: boolean }>(body.realm_emoji).find((each) => each.deactivated);
  expect(old).toMatchObject({ name: "party_soup", source_url: `${root()}/old.png`, still_url: null });
});

test("a node that starts reads them from their rows", async () => {
  const state = await OrganizationState.load(
    harness.services.database,
    harness.state.organizationId,
    harness.state.parts,
  );
  expect([...state.get(customEmoji).byId]).toEqual([...harness.state.get(customEmoji).byId]);
});

test("the name of a deactivated or renamed emoji stays as text", async () => {
  await change(sql`update custom_emoji set deactivated_at = now() where file_name = 'ours.png'`);
  expect(await render("dev", ":octopus:")).toContain("emoji-1f419");
  await change(sql`update custom_emoji set name = 'tea_party' where file_name = 'new.gif'`);
  expect(await render("dev", ":party_soup:")).toBe("<p>:party_soup:</p>");
  expect(await render("dev", ":tea_party:")).toContain("new.gif");
});
