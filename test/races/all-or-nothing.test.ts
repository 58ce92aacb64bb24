/**
 * Requests with one part that can't be done, after parts that can. Each is refused with its error, and
 * changes neither the rows nor the log nor the memory (spec E2, E3, E14, E16, E19).
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { groups } from "../../server/groups/group.ts";
import { deactivateUser } from "../../server/people/actions.ts";
import type { User } from "../../server/people/user.ts";
import { users } from "../../server/people/user.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { PASSWORD } from "../harness/accounts.ts";
import { type CastName, createHarness, type Harness, serverConnections } from "../harness/harness.ts";

let harness: Harness;
/** The ids of the things that requests can name. */
const id: Record<string, number> = {};

beforeAll(async () => {
  harness = await createHarness({}, serverConnections);
  const make = async (name: CastName, path: string, params: Record<string, unknown>, field: string) => {
    const { status, body } = await harness.as(name).post(path, params);
    expect(status, JSON.stringify(body)).toBe(200);
    return body[field] as number;
  };
  const group = (name: string, members: number[] = [], more = {}) =>
    make("ada", "/user_groups/create", { name, description: "", members, ...more }, "group_id");
  id.kitchen = (await harness.channel("kitchen", ["ada", "dev", "gus"])).id;
  id.vault = (await harness.channel("vault", ["ada"], { isPrivate: true })).id;
  id.attic = (await harness.channel("attic", ["ada", "dev"])).id;
  await harness.as("ada").delete(`/streams/${id.attic}`);
  id.cellar = (await harness.channel("cellar", ["dev"], { isPrivate: true })).id;
  id.cooks = await group("cooks", [harness.user("dev").id]);
  id.chefs = await group("chefs", [harness.user("elin").id], { subgroups: [id.cooks] });
  id.retired = await group("retired");
  await harness.as("ada").post(`/user_groups/${id.retired}/deactivate`);
  const foreign = { name: "foreign", description: "", members: [] };
  id.foreignGroup = await make("zed", "/user_groups/create", foreign, "group_id");
  id.foreignChannel = await make("zed", "/channels/create", { name: "abroad", subscribers: [] }, "id");
  id.foreigner = harness.user("zed").id;
  id.folder = await make("ada", "/channel_folders/create", { name: "Product" }, "channel_folder_id");
  id.oldFolder = await make("ada", "/channel_folders/create", { name: "Old" }, "channel_folder_id");
  await harness.as("ada").patch(`/channel_folders/${id.oldFolder}`, { is_archived: true });
  await harness.as("ada").patch(`/streams/${id.kitchen}`, { folder_id: id.folder });
  const sets = { group_name: "For cooks", description: "", stream_names: ["kitchen"] };
  await harness.as("ada").post("/default_stream_groups/create", sets);
  const [set] = (await harness.as("ada").post("/register")).body.realm_default_stream_groups;
  id.set = set.id;
  const person = { email: "rae@demo.test", full_name: "Rae Orr", password: PASSWORD };
  id.gone = await make("ada", "/users", person, "user_id");
  await runStateChange(harness.state, (tx) =>
    deactivateUser(tx, harness.state.get(users).find(id.gone as number) as User),
  );
  for (const role of ["everyone", "members", "nobody"] as const) {
    id[role] = harness.state.get(groups).system(role).id;
  }
  await harness.as("ada").patch(`/streams/${id.kitchen}`, { can_send_message_group: { new: id.chefs } });
});
afterAll(() => harness.close());

/**
 * The position of the newest entry, and a digest of every row that requests about channels and groups may
 * write.
 */
async function everything(): Promise<unknown[]> {
  const rows = await harness.services.database.query(sql`
    select 'channels' as "table", md5(string_agg(t::text, ' ' order by t::text)) from channels t
    union all select 'subscriptions', md5(string_agg(t::text, ' ' order by t::text)) from subscriptions t
    union all select 'preferences', md5(string_agg(t::text, ' ' order by t::text)) from subscription_preferences t
    union all select 'folders', md5(string_agg(t::text, ' ' order by t::text)) from channel_folders t
    union all select 'sets', md5(string_agg(t::text, ' ' order by t::text)) from default_channel_groups t
    union all select 'offers', md5(string_agg(t::text, ' ' order by t::text)) from default_channel_group_channels t
    union all select 'groups', md5(string_agg(t::text, ' ' order by t::text)) from groups t
    union all select 'members', md5(string_agg(t::text, ' ' order by t::text)) from group_members t
    union all select 'subgroups', md5(string_agg(t::text, ' ' order by t::text)) from group_subgroups t
    union all select 'organizations', md5(string_agg(t::text, ' ' order by t::text)) from organizations t
    union all select 'messages', md5(string_agg(t::text, ' ' order by t::text)) from messages t`);
  return [harness.state.position, harness.state.stateHead, ...rows];
}

type Call = [
  what: string,
  code: string,
  by: CastName,
  request: string,
  params: () => Record<string, unknown>,
];

const bad = "BAD_REQUEST";
const subscribe = "POST /users/me/subscriptions";
const fresh = { name: "fresh" };

const calls: readonly Call[] = [
  [
    "a name that is too long",
    bad,
    "dev",
    subscribe,
    () => ({ subscriptions: [fresh, { name: "x".repeat(61) }] }),
  ],
  ["a name that can't be shown", bad, "dev", subscribe, () => ({ subscriptions: [fresh, { name: "a\tb" }] })],
  ["a private channel", bad, "dev", subscribe, () => ({ subscriptions: [fresh, { name: "vault" }] })],
  [
    "someone who is gone",
    bad,
    "dev",
    subscribe,
    () => ({ subscriptions: [fresh], principals: [harness.user("elin").id, id.gone] }),
  ],
  ["a foreigner", bad, "dev", subscribe, () => ({ subscriptions: [fresh], principals: [id.foreigner] })],
  ["nobody's address", bad, "dev", subscribe, () => ({ subscriptions: [fresh], principals: ["a@b.c"] })],
  ["no such folder", bad, "ada", subscribe, () => ({ subscriptions: [fresh], folder_id: 999_999 })],
  ["an archived folder", bad, "ada", subscribe, () => ({ subscriptions: [fresh], folder_id: id.oldFolder })],
  [
    "a deactivated group",
    bad,
    "ada",
    subscribe,
    () => ({ subscriptions: [fresh], can_send_message_group: id.retired }),
  ],
  [
    "a foreign group",
    bad,
    "ada",
    subscribe,
    () => ({
      subscriptions: [fresh],
      can_subscribe_group: { direct_members: [], direct_subgroups: [id.foreignGroup] },
    }),
  ],
  [
    "a foreigner in a permission",
    bad,
    "ada",
    subscribe,
    () => ({
      subscriptions: [fresh],
      can_send_message_group: { direct_members: [id.foreigner], direct_subgroups: [] },
    }),
  ],
  [
    "a group that is not allowed",
    bad,
    "ada",
    subscribe,
    () => ({ subscriptions: [fresh], can_administer_channel_group: id.everyone }),
  ],
  [
    "a retention that is not theirs to set",
    "UNAUTHORIZED_PRINCIPAL",
    "ben",
    subscribe,
    () => ({ subscriptions: [fresh], message_retention_days: 30 }),
  ],
  [
    "a default channel that is not theirs to make",
    bad,
    "dev",
    subscribe,
    () => ({ subscriptions: [{ name: "kitchen" }, fresh], is_default_stream: true }),
  ],
  [
    "web-public without the organization's leave",
    bad,
    "ada",
    subscribe,
    () => ({ subscriptions: [fresh], is_web_public: true }),
  ],
  [
    "private and web-public",
    bad,
    "ada",
    subscribe,
    () => ({ subscriptions: [fresh], is_web_public: true, invite_only: true }),
  ],
  [
    "public without its history",
    bad,
    "ada",
    subscribe,
    () => ({ subscriptions: [fresh], history_public_to_subscribers: false }),
  ],
  [
    "a name in use",
    "CHANNEL_ALREADY_EXISTS",
    "ada",
    "POST /channels/create",
    () => ({ name: "KITCHEN", subscribers: [harness.user("elin").id] }),
  ],
  [
    "a channel to leave that there is not",
    bad,
    "dev",
    "PATCH /users/me/subscriptions",
    () => ({ add: [fresh], delete: ["no such channel"] }),
  ],
  [
    "a channel to leave out of sight",
    bad,
    "dev",
    "DELETE /users/me/subscriptions",
    () => ({ subscriptions: ["kitchen", "vault"] }),
  ],
  [
    "others to remove",
    bad,
    "dev",
    "DELETE /users/me/subscriptions",
    () => ({ subscriptions: ["kitchen"], principals: [harness.user("dev").id, harness.user("gus").id] }),
  ],
  [
    "a value that there is not",
    bad,
    "dev",
    "POST /users/me/subscriptions/properties",
    () => ({
      subscription_data: [
        { stream_id: id.kitchen, property: "is_muted", value: true },
        { stream_id: id.kitchen, property: "color", value: "green" },
      ],
    }),
  ],
  ...change("dev", "kitchen", [["somebody else's channel", "CANNOT_ADMINISTER_CHANNEL", {}]]),
  ...change("ben", "kitchen", [
    ["an owner's setting", "UNAUTHORIZED_PRINCIPAL", { message_retention_days: 30 }],
    ["the name that it has", bad, { new_name: "kitchen" }],
    ["a name in use", bad, { new_name: "VAULT" }],
    ["no such folder", bad, { folder_id: 999_999 }],
    ["archiving", bad, { is_archived: true }],
    ["an active channel to bring back", bad, { is_archived: false }],
    ["web-public without the organization's leave", bad, { is_web_public: true }],
    ["public without its history", bad, { history_public_to_subscribers: false }],
    ["private and a default channel", bad, { is_private: true, is_default_stream: true }],
    ["an unknown policy", bad, { topics_policy: "whatever" }],
  ]),
  ...change("ben", "cellar", [
    ["a private channel that they can't read", bad, { is_private: false }],
    ["a permission of a channel that they can't read", bad, () => permission({ new: id.members })],
  ]),
  ...change("ben", "attic", [["an archived default channel", bad, { is_default_stream: true }]]),
  ...change("ben", "kitchen", [
    [
      "another value than expected",
      "EXPECTATION_MISMATCH",
      () => permission({ new: id.members, old: id.nobody }),
    ],
    ["a deactivated group", bad, () => permission({ new: id.retired })],
    ["a foreign group", bad, () => permission({ new: id.foreignGroup })],
    ["no such group", bad, () => permission({ new: 999_999 })],
  ]),
  ["no channel", bad, "ada", "PATCH /streams/999999", () => ({ description: "x" })],
  ["a foreign channel", bad, "ada", "PATCH /streams/{foreignChannel}", () => ({ description: "x" })],
  ["a foreign channel", bad, "ada", "DELETE /streams/{foreignChannel}", () => ({})],
  ["an archived channel", bad, "ada", "DELETE /streams/{attic}", () => ({})],
  ["a private channel", bad, "ada", "POST /default_streams", () => ({ stream_id: id.vault })],
  [
    "a channel that it has",
    bad,
    "ada",
    "PATCH /default_stream_groups/{set}/streams",
    () => ({ op: "add", stream_names: ["kitchen"] }),
  ],
  [
    "a private channel to offer",
    bad,
    "ada",
    "POST /default_stream_groups/create",
    () => ({ group_name: "more", description: "", stream_names: ["kitchen", "vault"] }),
  ],
  ["an order without one", bad, "ada", "PATCH /channel_folders", () => ({ order: [id.folder] })],
  [
    "an order with one twice",
    bad,
    "ada",
    "PATCH /channel_folders",
    () => ({ order: [id.folder, id.folder] }),
  ],
  [
    "a folder with channels to archive",
    bad,
    "ada",
    "PATCH /channel_folders/{folder}",
    () => ({ name: "Another", is_archived: true }),
  ],
  [
    "a folder's name in use",
    bad,
    "ada",
    "PATCH /channel_folders/{oldFolder}",
    () => ({ name: "product", is_archived: false }),
  ],
  [
    "a member twice",
    bad,
    "ada",
    "POST /user_groups/{cooks}/members",
    () => ({ add: [harness.user("elin").id, harness.user("dev").id] }),
  ],
  [
    "a member that there is not",
    bad,
    "ada",
    "POST /user_groups/{cooks}/members",
    () => ({ add: [harness.user("elin").id], delete: [harness.user("gus").id] }),
  ],
  ["someone who is gone", bad, "ada", "POST /user_groups/{cooks}/members", () => ({ add: [id.gone] })],
  ["a circle", bad, "ada", "POST /user_groups/{cooks}/subgroups", () => ({ add: [id.members, id.chefs] })],
  ["itself", bad, "ada", "POST /user_groups/{cooks}/subgroups", () => ({ add: [id.cooks] })],
  ["a deactivated group", bad, "ada", "POST /user_groups/{cooks}/subgroups", () => ({ add: [id.retired] })],
  ["a foreign group", bad, "ada", "POST /user_groups/{cooks}/subgroups", () => ({ add: [id.foreignGroup] })],
  [
    "another value than expected of a group",
    "EXPECTATION_MISMATCH",
    "ada",
    "PATCH /user_groups/{cooks}",
    () => ({ name: "Others", can_join_group: { new: id.members, old: id.members } }),
  ],
  [
    "a subgroup that is foreign",
    bad,
    "ada",
    "POST /user_groups/create",
    () => ({ name: "new", description: "", members: [harness.user("dev").id], subgroups: [id.foreignGroup] }),
  ],
  [
    "a group in use",
    "CANNOT_DEACTIVATE_GROUP_IN_USE",
    "ada",
    "POST /user_groups/{chefs}/deactivate",
    () => ({}),
  ],
  ["a group in use", "CANNOT_DEACTIVATE_GROUP_IN_USE", "ada", "DELETE /user_groups/{chefs}", () => ({})],
  [
    "a part of a group",
    "CANNOT_DEACTIVATE_GROUP_IN_USE",
    "ada",
    "POST /user_groups/{cooks}/deactivate",
    () => ({}),
  ],
  ["a deactivated group", bad, "ada", "POST /user_groups/{retired}/deactivate", () => ({})],
  ["a system group", bad, "ada", "DELETE /user_groups/{members}", () => ({})],
  ["a foreign group", bad, "ada", "DELETE /user_groups/{foreignGroup}", () => ({})],
  [
    "a group for a system group's place",
    "SYSTEM_GROUP_REQUIRED",
    "ada",
    "PATCH /realm",
    () => ({ name: "Another", can_create_web_public_channel_group: { new: id.cooks } }),
  ],
  [
    "another value than expected of the organization",
    "EXPECTATION_MISMATCH",
    "ada",
    "PATCH /realm",
    () => ({ name: "Another", can_create_groups: { new: id.cooks, old: id.nobody } }),
  ],
];

/** Changes of a channel that each begin with one that could be made. */
function change(
  by: CastName,
  channel: string,
  wrong: [what: string, code: string, params: Record<string, unknown> | (() => Record<string, unknown>)][],
): Call[] {
  return wrong.map(([what, code, params]) => [
    what,
    code,
    by,
    `PATCH /streams/{${channel}}`,
    () => ({ description: "something else", ...(typeof params === "function" ? params() : params) }),
  ]);
}

function permission(value: Record<string, unknown>): Record<string, unknown> {
  return { can_send_message_group: value };
}

test.each(calls)(
  "%s is refused with %s and changes nothing (%s: %s)",
  async (_, code, by, request, params) => {
    const [method, template] = request.split(" ") as [string, string];
    const path = template.replace(/\{(\w+)\}/, (__, name: string) => String(id[name]));
    const before = await everything();
    const verb = method.toLowerCase() as "post" | "patch" | "delete";
    const { status, body } = await harness.as(by)[verb](path, params());
    expect([status >= 400 && status < 500, body.code], JSON.stringify(body)).toEqual([true, code]);
    expect(await everything()).toEqual(before);
  },
);
