// Lessons 6 and 7 of the list in regressions.test.ts, for every endpoint. Each sample call gets an id from
// another organization, or claims a higher role, and must not accept it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint, SampleIds } from "../../api/endpoint.ts";
import { endpoints } from "../../api/index.ts";
import { tomorrow } from "../../api/personal/scheduled-messages.ts";
import { roles } from "../../api/roles.ts";
import { addEmoji } from "../../server/content/emoji/actions.ts";
import { createUser } from "../../server/people/actions.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { doneExport } from "../harness/exports.ts";
import { type CastName, createHarness, type Harness, HOST } from "../harness/harness.ts";
import { addIdentity } from "../harness/identities.ts";
import { addPasskey } from "../harness/passkeys.ts";
import { addSession } from "../harness/sessions.ts";
import { insertedUpload } from "../harness/uploads.ts";
import { optionalIds, unknownIds } from "./optional-ids.ts";
import { asIfAbout, call, idsUsedBy, missingIds } from "./sample-call.ts";
import { samples } from "./samples.ts";

let harness: Harness;
let count = 0;

beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  // One of the sample calls makes a channel web-public.
  await harness.as("ada").patch("/realm", { enable_spectator_access: true });
}, 60_000);
afterAll(() => harness.close());

// 6
describe("an id from another organization is treated as an id that does not exist", () => {
  let own: SampleIds;
  let foreign: SampleIds;
  const ids = [
    "userId",
    "userEmail",
    "botId",
    "channelId",
    "messageId",
    "ownMessageId",
    "groupId",
    "subgroupId",
  ];
  const moreIds = [
    "folderId",
    "defaultGroupId",
    "queueId",
    "snippetId",
    "sessionId",
    "passkeyId",
    "identityId",
    "viewFragment",
    "draftId",
    "attachmentId",
    "uploadPath",
    "exportId",
    "scheduledMessageId",
    "reminderId",
    "profileFieldId",
    "profileFieldIds",
    "linkifierId",
    "linkifierIds",
    "playgroundId",
    "emojiName",
    "domain",
    "invitationId",
    "invitationLinkId",
  ];

  beforeAll(async () => {
    own = await thingsOf("ada");
    foreign = await thingsOf("zed");
  });

  const cases = samples.flatMap((sample) =>
    [...idsUsedBy(sample)]
      .filter((key) => [...ids, ...moreIds].includes(key))
      .map((key) => [sample.name, key, sample] as const),
  );
  test.each(cases)("%s with the %s of another", async (_, key, sample) => {
    const { id, email, apiKey } = harness.user("ada");
    expect(id).not.toBe(foreign.userId);
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
    const headers = { host: HOST, authorization };
    const before = await headOf("zed");
    const withForeign = { ...own, [key]: foreign[key], freshName: `fresh${++count}` };
    const answer = await call(harness.app, sample.endpoint, sample.parameters(withForeign), headers);
    expect(await headOf("zed")).toBe(before);
    const withGhost = { ...own, [key]: missingIds[key], freshName: `fresh${++count}` };
    const ghost = await call(harness.app, sample.endpoint, sample.parameters(withGhost), headers);
    // A created thing has its own name and id, and lists may have grown because of it.
    if (answer.status === 200 && sample.endpoint.method !== "GET") expect(ghost.status).toBe(200);
    else expect(answer).toEqual({ status: ghost.status, text: asIfAbout(withForeign, ghost.text) });
    expect(answer.text).not.toMatch(/@zed\.test|@other\.test/);
  });

  test.each(optionalIds.map((each) => [each.name, each] as const))("%s of another", async (_, each) => {
    const { endpoint, parameter, parameters, written } = each;
    const { email, apiKey } = harness.user("ada");
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
    const headers = { host: HOST, authorization };
    const callWith = (ids: SampleIds) =>
      call(
        harness.app,
        endpoint,
        { ...parameters({ ...own, freshName: `fresh${++count}` }), [parameter]: written(ids) },
        headers,
      );
    const before = await headOf("zed");
    const answer = await callWith(foreign);
    expect(await headOf("zed")).toBe(before);
    const ghost = await callWith(missingIds);
    if (answer.status === 200 && endpoint.method !== "GET") expect(ghost.status).toBe(200);
    else expect(withoutDigits(answer)).toEqual(withoutDigits(ghost));
    expect(answer.text).not.toMatch(/@zed\.test|@other\.test/);
  });

  test("every parameter that may be an id is tested", () => {
    expect(optionalIds.length).toBeGreaterThan(40);
    expect(unknownIds).toEqual([]);
  });

  test("every kind of id that calls can name is tested", () => {
    const texts = ["topic", "channelName", "lastEventId", "freshName"];
    const named = new Set(samples.flatMap((sample) => [...idsUsedBy(sample)]));
    expect([...named].filter((key) => ![...ids, ...moreIds, ...texts].includes(key))).toEqual([]);
  });
});

// 7
describe("nobody can raise their own role", () => {
  const claims = {
    role: roles.owner,
    is_admin: true,
    is_owner: true,
    is_guest: false,
    bot_owner_id: 1,
    can_create_users: true,
  };

  test.each(
    endpoints.filter(({ method }) => method !== "GET").map((endpoint) => [endpoint.name, endpoint] as const),
  )("by what they add to %s", async (_, endpoint) => {
    const own = await thingsOf("ada");
    for (const name of ["echo", "gus"] as const) {
      const before = harness.user(name).user;
      if (!before.isActive) return;
      const undeclared = Object.entries(claims).filter(([field]) => !(field in endpoint.parameters));
      const sample = { ...endpoint.sample(own), ...Object.fromEntries(undeclared) };
      const { email, apiKey } = harness.user(name);
      const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
      await call(harness.app, endpoint as Endpoint, sample, { host: HOST, authorization });
      const { role, botOwnerId } = harness.user(name).user;
      expect({ role, botOwnerId }).toEqual({ role: before.role, botOwnerId: before.botOwnerId });
    }
  });

  test("only administrators may call an endpoint that takes a role", () => {
    const taking = endpoints
      .filter(({ parameters }) => "role" in parameters)
      // Owners of bots may call it too, but not with a role: server/integrations/bots/bots.test.ts.
      // Members invite too: server/accounts/invitations/invitations.test.ts shows as what.
      .filter(({ name }) => name !== "updateBot");
    for (const { name, access } of taking)
      expect([name, access]).toEqual([name, expect.stringMatching(/administrator|owner/)]);
  });
});

/** An error may name what was asked for. */
function withoutDigits({ status, text }: { status: number; text: string }) {
  return { status, text: text.replace(/[\w-]*\d[\w-]*|no such channel|no_such_emoji/g, "#") };
}

async function headOf(name: CastName): Promise<number> {
  const { organizationId } = harness.user(name).viewer.state;
  const [row] = await harness.services.database.query<{ head: number }>(
    sql`select head from organization_logs where organization_id = ${organizationId}`,
  );
  return (row as { head: number }).head;
}

/** Things of all kinds in the organization of an owner. */
async function thingsOf(owner: CastName): Promise<SampleIds> {
  const by = harness.as(owner);
  const freshName = `thing${++count}`;
  const userEmail = `${freshName}@${owner}.test`;
  const { body: person } = await by.post("/users", {
    email: userEmail,
    full_name: "Pat Moe",
    password: "a good start",
  });
  const { state } = harness.user(owner).viewer;
  const bot = await runStateChange(state, (tx) =>
    createUser(tx, harness.services.keyring, {
      email: `${freshName}-bot@${owner}.test`,
      fullName: "Helper Bot",
      role: roles.member,
      passwordHash: null,
      botType: 1,
      botOwnerId: harness.user(owner).user.id,
    }),
  );
  const { body: made } = await by.post("/channels/create", {
    name: freshName,
    subscribers: [harness.user(owner).id],
  });
  const message = { type: "channel", to: made.id, topic: "lunch", content: "Soup today?" };
  const { body: sent } = await by.post("/messages", message);
  const { body: ownSent } = await by.post("/messages", message);
  const { body: group } = await by.post("/user_groups/create", {
    name: freshName,
    description: "",
    members: [],
  });
  const { body: part } = await by.post("/user_groups/create", {
    name: `${freshName} part`,
    description: "",
    members: [],
  });
  const { body: folder } = await by.post("/channel_folders/create", { name: freshName });
  const defaults = { group_name: freshName, description: "", stream_names: [] };
  await by.post("/default_stream_groups/create", defaults);
  const { body: snippet } = await by.post("/saved_snippets", { title: freshName, content: "Hello" });
  const viewFragment = `narrow/channel/${freshName}`;
  await by.post("/navigation_views", { fragment: viewFragment, is_pinned: true, name: freshName });
  const draft = { type: "", to: [], topic: "", content: "Soup" };
  const { body: drafts } = await by.post("/drafts", { drafts: [draft] });
  const { body: scheduled } = await by.post("/scheduled_messages", {
    ...message,
    scheduled_delivery_timestamp: tomorrow(),
  });
  const { body: reminder } = await by.post("/reminders", {
    message_id: sent.id,
    scheduled_delivery_timestamp: tomorrow(),
  });
  const profileFieldIds = await profileFieldsOf(owner, freshName);
  const linkifier = { pattern: `${freshName}#[0-9]+`, url_template: "https://tickets.example.com/" };
  const { body: filter } = await by.post("/realm/filters", linkifier);
  const { body: playground } = await by.post("/realm/playgrounds", {
    name: freshName,
    pygments_language: "Python",
    url_template: "https://run.example.com/{code}",
  });
  const emojiName = `soup_${freshName}`;
  const picture = { fileName: "soup.png", isAnimated: false };
  await changeState(harness.user(owner).viewer, (tx) => addEmoji(tx, emojiName, picture));
  const domain = `${freshName}.${owner}.example`;
  await by.post("/realm/domains", { domain, allow_subdomains: false });
  const invitations = await invitationsOf(owner, `${freshName}@${owner}.example`);
  const { body: value } = await by.post("/register", {});
  const { id: defaultGroupId } = value.realm_default_stream_groups.find(
    (each: { name: string }) => each.name === freshName,
  );
  return {
    userId: person.user_id,
    userEmail,
    botId: bot.id,
    channelId: made.id,
    channelName: freshName,
    topic: "lunch",
    messageId: sent.id,
    ownMessageId: ownSent.id,
    groupId: group.group_id,
    subgroupId: part.group_id,
    folderId: folder.channel_folder_id,
    defaultGroupId,
    snippetId: snippet.saved_snippet_id,
    sessionId: (await addSession(harness, owner)).id,
    passkeyId: await addPasskey(harness, harness.user(owner).viewer),
    identityId: await addIdentity(harness, harness.user(owner).viewer),
    viewFragment,
    draftId: drafts.ids[0],
    ...(await insertedUpload(harness, harness.user(owner).viewer)),
    exportId: await doneExport(harness, owner),
    scheduledMessageId: scheduled.scheduled_message_id,
    reminderId: reminder.reminder_id,
    profileFieldId: profileFieldIds[0] as number,
    profileFieldIds,
    linkifierId: filter.id,
    linkifierIds: [filter.id],
    playgroundId: playground.id,
    emojiName,
    domain,
    ...invitations,
    queueId: value.queue_id,
    lastEventId: value.last_event_id,
    freshName,
  };
}

async function invitationsOf(owner: CastName, address: string) {
  const by = harness.as(owner);
  await by.post("/invites", { invitee_emails: address, stream_ids: [] });
  await by.post("/invites/multiuse", {});
  const { body } = await by.get("/invites");
  const { invites } = body as { invites: { id: number; is_multiuse: boolean }[] };
  const newest = (isLink: boolean) => invites.findLast((each) => each.is_multiuse === isLink)?.id as number;
  return { invitationId: newest(false), invitationLinkId: newest(true) };
}

/** An organization has few fields, so one is made only where there is none. */
async function profileFieldsOf(owner: CastName, name: string): Promise<number[]> {
  const { body: there } = await harness.as(owner).get("/realm/profile_fields");
  if (there.custom_fields.length > 0) return there.custom_fields.map(({ id }: { id: number }) => id);
  const { body: made } = await harness.as(owner).post("/realm/profile_fields", { name, field_type: 1 });
  return [made.id];
}
