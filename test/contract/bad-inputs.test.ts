// Makes every endpoint's sample call, as generated from the contract. Then each parameter is spoiled in every
// way, or the call has wrong credentials or another organization's ids.

import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Access, Endpoint, SampleIds } from "../../api/endpoint.ts";
import type { UserId } from "../../api/ids.ts";
import { endpoints } from "../../api/index.ts";
import { tomorrow } from "../../api/personal/scheduled-messages.ts";
import { roles } from "../../api/roles.ts";
import { createDefaultGroup } from "../../server/channels/defaults/actions.ts";
import { createChannelFolder } from "../../server/channels/folders/actions.ts";
import { addEmoji } from "../../server/content/emoji/actions.ts";
import { curlSample, sampleRequest } from "../../server/integrations/api-reference/samples.ts";
import { createUser, deactivateUser } from "../../server/people/actions.ts";
import { findEncryptedApiKey } from "../../server/people/api-key-store.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { type Sql, sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { presences } from "../../server/profiles/presence/presences.ts";
import { type BadValue, badValues, isRefused } from "../harness/bad-values.ts";
import { doneExport } from "../harness/exports.ts";
import { forms } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness, HOST } from "../harness/harness.ts";
import { sampleBody } from "../harness/multipart.ts";
import { ownPageHeaders } from "../harness/own-page-headers.ts";
import { addPasskey } from "../harness/passkeys.ts";
import { sentByCurl } from "../harness/sample-requests.ts";
import { addSession } from "../harness/sessions.ts";
import { insertedUpload } from "../harness/uploads.ts";
import { validateReply } from "../harness/validate-reply.ts";
import { idsUsedBy } from "../permissions/sample-call.ts";
import { arrangements } from "../permissions/samples.ts";
import { refusedSamples } from "./refused-samples.ts";

// An endpoint with many parameters is called hundreds of times in one test.
vi.setConfig({ testTimeout: 60_000 });

type Fields = Record<string, string>;

/** Things that are made once in an organization. */
type Lasting = Pick<
  SampleIds,
  | "userId"
  | "userEmail"
  | "botId"
  | "folderId"
  | "linkifierId"
  | "linkifierIds"
  | "playgroundId"
  | "emojiName"
  | "domain"
>;

interface Outcome {
  status: number;
  body: { result?: string; code?: string; msg?: string; var_name?: string };
}

/** The one that sample calls sign in with. */
const PASSWORD = "demo-password";

let harness: Harness;
let gone: { email: string; apiKey: string };
let own: Omit<SampleIds, "queueId" | "lastEventId" | "freshName">;
let calls = 0;
let furnished = 0;
/** Things of zed's organization. */
let foreign: typeof own;

beforeAll(async () => {
  // It makes more calls in a minute than a person may.
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  own = await furnish("ada", "ben");
  foreign = { ...(await furnish("zed", "zed")), channelName: own.channelName, topic: own.topic };
  gone = await someoneGone();
  // The person was there once: otherwise there is no presence to ask for.
  harness.state.get(presences).report(own.userId as UserId, true, Date.now());
  // Reports need a channel to go to.
  const reports = await harness.channel("reports", ["ada"], { isPrivate: true });
  await harness.as("ada").patch("/realm", { moderation_request_channel_id: reports.id });
}, 60_000);
afterAll(() => harness.close());

/** The content that makes a message a poll. */
const { addSubmessage: makingPolls } = arrangements as { addSubmessage: Sql };

/** Calls that only work after another one. */
const undoes: Record<string, string> = {
  removeReaction: "addReaction",
  removeApnsToken: "addApnsToken",
  removeFcmToken: "addFcmToken",
};

/** The only owner can't leave, and needs the key that other calls are made with. */
const callers: Record<string, CastName> = {
  deactivateOwnUser: "elin",
  regenerateApiKey: "gus",
  // Bots alone have a storage.
  getBotStorage: "echo",
  updateBotStorage: "echo",
  removeBotStorage: "echo",
};

describe("a parameter that breaks its declaration is refused and changes nothing", () => {
  const spoilable = endpoints.filter(({ parameters }) => Object.keys(parameters).length > 0);
  test.each(spoilable.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (_, endpoint) => {
    const sample = sampleOf(endpoint, await idsFor(endpoint, "ada", own));
    const before = await stateOf("ada");
    const problems: string[] = [];
    for (const [name, parameter] of Object.entries(endpoint.parameters)) {
      const expected =
        parameter.invalid === "variable-invalid"
          ? ["REQUEST_VARIABLE_INVALID", "BAD_REQUEST"]
          : ["BAD_REQUEST"];
      const codes = parameter.inPath ? [...expected, "NOT_FOUND"] : expected;
      for (const bad of badValues.filter((value) => isRefused(parameter, value))) {
        const { status, body } = await call(endpoint, { ...sample, [name]: bad.encoded }, as("ada"));
        const isRight = status >= 400 && status < 500 && codes.includes(String(body.code));
        if (!isRight) problems.push(sentence(name, bad, status, body));
      }
      if (!parameter.required || parameter.inPath) continue;
      const { [name]: _left, ...others } = sample;
      const { status, body } = await call(endpoint, others, as("ada"));
      if (status !== 400 || body.code !== "REQUEST_VARIABLE_MISSING" || body.var_name !== name) {
        problems.push(`${name} left out: ${status} ${JSON.stringify(body)}`);
      }
    }
    expect(problems).toEqual([]);
    expect(await stateOf("ada")).toEqual(before);
  });
});

describe("a parameter that may or may not be valid never breaks the server", () => {
  test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (_, endpoint) => {
    const problems: string[] = [];
    for (const [name, parameter] of Object.entries(endpoint.parameters)) {
      // A valid poll would wait here.
      if (endpoint.streams && name === "dont_block") continue;
      for (const bad of badValues.filter((value) => !isRefused(parameter, value))) {
        const sample = sampleOf(endpoint, await idsFor(endpoint, "dev", own));
        const { status, body } = await call(endpoint, { ...sample, [name]: bad.encoded }, as("dev"));
        if (status >= 500) problems.push(sentence(name, bad, status, body));
      }
    }
    expect(problems).toEqual([]);
  });
});

describe("a call without the right credentials is refused and changes nothing", () => {
  const closed = endpoints.filter(({ access }) => access !== "anyone");
  test.each(closed.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (_, endpoint) => {
    const sample = sampleOf(endpoint, await idsFor(endpoint, "ada", own));
    const before = await stateOf("ada");
    const attempts: Record<string, Fields> = {
      "no credentials": {},
      "a wrong key": basic(harness.user("ada").email, "x".repeat(32)),
      "a malformed key": basic(harness.user("ada").email, "short"),
      "another's key": basic(harness.user("ada").email, harness.user("dev").apiKey),
      "the key of a stranger": basic(harness.user("zed").email, harness.user("zed").apiKey),
      "the key of someone deactivated": basic(gone.email, gone.apiKey),
      "credentials that can't be read": { authorization: "Basic %%%" },
    };
    for (const [title, headers] of Object.entries(attempts)) {
      const { status, body } = await call(endpoint, sample, headers);
      expect({ title, status, code: body.code }).toEqual({ title, status: 401, code: "UNAUTHORIZED" });
    }
    expect(await stateOf("ada")).toEqual(before);
  });

  const reserved: [Access, CastName][] = [
    ["member", "gus"],
    ["administrator", "cleo"],
    ["owner", "ben"],
  ];
  const cases = reserved.flatMap(([access, name]) =>
    endpoints
      .filter((endpoint) => endpoint.access === access)
      .map((endpoint) => [endpoint.name, name, endpoint] as const),
  );
  test.each(cases)("%s is refused to %s, whose role is too low", async (_, name, endpoint) => {
    const sample = sampleOf(endpoint, await idsFor(endpoint, "ada", own));
    const before = await stateOf("ada");
    const { status, body } = await call(endpoint, sample, as(name));
    expect(status, JSON.stringify(body)).toBe(400);
    expect(["UNAUTHORIZED_PRINCIPAL", "BAD_REQUEST"]).toContain(body.code);
    expect(await stateOf("ada")).toEqual(before);
  });
});

describe("things of another organization are treated as missing", () => {
  const naming = endpoints.filter((endpoint) => {
    const ids = { ...sampleIds(1), queueId: "a", lastEventId: 1, freshName: "fresh" };
    const others = {
      ...sampleIds(2),
      channelName: ids.channelName,
      topic: ids.topic,
      queueId: "b",
      lastEventId: 1,
      freshName: ids.freshName,
    };
    return JSON.stringify(endpoint.sample(ids)) !== JSON.stringify(endpoint.sample(others));
  });
  test.each(naming.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (_, endpoint) => {
    const sample = sampleOf(endpoint, await idsFor(endpoint, "zed", foreign));
    const before = [await stateOf("ada"), await stateOf("zed")];
    const { status, body } = await call(endpoint, sample, as("ada"));
    const text = JSON.stringify(body);
    // A list of what there is leaves them out; everything else refuses.
    if (endpoint.method === "GET" && status === 200) expect(text).not.toMatch(/@zed\.test|@other\.test/);
    else expect(status, text).toBeGreaterThanOrEqual(400);
    expect(status, text).toBeLessThan(500);
    expect([await stateOf("ada"), await stateOf("zed")]).toEqual(before);
  });
});

// Last: it leaves a channel and groups for each endpoint, which every snapshot after it would list.
describe("the sample call of each endpoint works", () => {
  test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (_, endpoint) => {
    // Some calls destroy what they name, so each has things of its own.
    const things = await idsFor(endpoint, "ada", { ...own, ...(await furnishPassing("ada")) });
    const first = endpoints.find(({ name }) => name === undoes[endpoint.name]);
    if (endpoint.name === "addSubmessage") await harness.services.database.query(makingPolls);
    if (first) await call(first, sampleOf(first, things), as("ada"));
    // The values above that are no password count as attempts to guess one.
    await harness.services.database.query(sql`delete from sign_in_attempts`);
    const caller = callers[endpoint.name] ?? "ada";
    // The page of the endpoint in docs/api/ shows this command, with other values.
    const sent = sentByCurl(curlSample(sampleRequest(endpoint, things)));
    const { file: _file, ...fields } = sent.fields;
    const pairs = Object.entries(fields).map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
    const credentials = sent.isSignedIn ? as(caller) : {};
    const { status, body } = await send(endpoint, sent.path, pairs, credentials);
    const refusal = refusedSamples[endpoint.name];
    const refused = endpoint.errors.find(({ code }) => code === refusal)?.status;
    expect([status, body.code], JSON.stringify(body)).toEqual(
      refusal ? [refused, refusal] : [200, undefined],
    );
  });
});

const numbered = [
  "userId",
  "botId",
  "channelId",
  "messageId",
  "ownMessageId",
  "groupId",
  "folderId",
  "subgroupId",
  "defaultGroupId",
  "snippetId",
  "sessionId",
  "passkeyId",
  "draftId",
  "attachmentId",
  "exportId",
  "scheduledMessageId",
  "reminderId",
  "profileFieldId",
  "linkifierId",
  "playgroundId",
  "invitationId",
  "invitationLinkId",
] as const;

function sampleIds(seed: number): typeof own {
  const ids = Object.fromEntries(numbered.map((name, index) => [name, (index + 1) * 100 + seed])) as Record<
    (typeof numbered)[number],
    number
  >;
  return {
    ...ids,
    profileFieldIds: [ids.profileFieldId],
    linkifierIds: [ids.linkifierId],
    userEmail: `someone${seed}@demo.test`,
    channelName: "general",
    topic: "lunch",
    viewFragment: `narrow/search/${seed}`,
    emojiName: `emoji_${seed}`,
    uploadPath: `${seed}/00/AAAAAAAAAAAAAAAAAAAAAAAA/soup.txt`,
    domain: `d${seed}.example`,
  } as typeof own;
}

function sentence(name: string, { title }: BadValue, status: number, body: unknown): string {
  return `${name}, ${title}: ${status} ${JSON.stringify(body).slice(0, 200)}`;
}

/** The parameters of the sample call, encoded for a form. */
function sampleOf(endpoint: Endpoint, ids: SampleIds): Fields {
  const fields = Object.entries(endpoint.sample(ids)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value)),
    ]),
  );
}

async function call(endpoint: Endpoint, fields: Fields, headers: Fields): Promise<Outcome> {
  let path = endpoint.path;
  const pairs: string[] = [];
  for (const [name, encoded] of Object.entries(fields)) {
    if (endpoint.parameters[name]?.inPath) path = path.replace(`{${name}}`, () => encoded);
    else pairs.push(`${name}=${encoded}`);
  }
  return send(endpoint, path, pairs, headers);
}

async function send(
  endpoint: Endpoint,
  path: string,
  pairs: readonly string[],
  headers: Fields,
): Promise<Outcome> {
  // A poll waits for an event by default; here it must not.
  const isPolling = endpoint.streams && !pairs.some((pair) => /^dont_block=(?!true$)/.test(pair));
  const form = [...new Set(isPolling ? [...pairs, "dont_block=true"] : pairs)].join("&");
  // Broken percent-encoding must arrive as it is.
  // A picture that may be left out would be made small in each of hundreds of calls.
  const sent =
    endpoint.files && !endpoint.files.isOptional
      ? sampleBody(endpoint, new URLSearchParams(form))
      : { headers: { "content-type": "application/x-www-form-urlencoded" }, payload: form };
  const request: InjectOptions =
    endpoint.method === "GET"
      ? { method: "GET", url: `/api/v1${path}?${form}`, headers: { host: HOST, ...headers } }
      : {
          method: endpoint.method,
          url: `/api/v1${path}`,
          headers: {
            host: HOST,
            ...sent.headers,
            ...(endpoint.startsSession && ownPageHeaders),
            ...headers,
          },
          payload: sent.payload,
        };
  const response = await harness.app.inject(request);
  const body = response.json();
  const isElsewhere =
    response.statusCode === 404 || response.statusCode === 405 || response.statusCode === 414;
  if (!isElsewhere && response.statusCode < 500) validateReply(endpoint, body, response.statusCode);
  return { status: response.statusCode, body };
}

function as(name: CastName): Fields {
  const { email, apiKey } = harness.user(name);
  return basic(email, apiKey);
}

function basic(email: string, key: string): Fields {
  return { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}` };
}

/** The whole snapshot of a client with every capability, without what belongs to its queue. */
async function stateOf(name: CastName): Promise<unknown> {
  const { body } = await harness.as(name).post("/register", { ...forms.modern });
  await harness.as(name).delete("/events", { queue_id: body.queue_id });
  const { queue_id: _, last_event_id: _last, server_timestamp: _now, ...state } = body;
  return state;
}

/** Ids for a sample call. Only an endpoint that names a queue gets one, since making a queue takes time. */
async function idsFor(endpoint: Endpoint, name: CastName, ids: typeof own): Promise<SampleIds> {
  if (usesQueue(endpoint)) return withQueue(name, ids);
  return { ...ids, queueId: "unused", lastEventId: 0, freshName: `fresh${++calls}` };
}

function usesQueue(endpoint: Endpoint): boolean {
  const used = idsUsedBy({ name: endpoint.name, endpoint, parameters: endpoint.sample });
  return used.has("queueId") || used.has("lastEventId");
}

async function withQueue(name: CastName, ids: typeof own): Promise<SampleIds> {
  const { body } = await harness.as(name).post("/register", { event_types: ["message"] });
  return { ...ids, queueId: body.queue_id, lastEventId: body.last_event_id, freshName: `fresh${++calls}` };
}

/** A person with a password, a bot and a folder in the organization of an owner, and what passes. */
async function furnish(owner: CastName, botOwner: CastName): Promise<typeof own> {
  const { viewer } = harness.user(owner);
  const person = { email: `pat@${owner}.test`, full_name: "Pat Moe", password: PASSWORD };
  const { body: added } = await harness.as(owner).post("/users", person);
  const bot = await runStateChange(viewer.state, (tx) =>
    createUser(tx, harness.services.keyring, {
      email: `helper-bot@${owner}.test`,
      fullName: "Helper Bot",
      role: roles.member,
      passwordHash: null,
      botType: 1,
      botOwnerId: harness.user(botOwner).user.id,
    }),
  );
  const folder = await changeState(viewer, (tx) => createChannelFolder(tx, { name: "Product" }));
  const { body: linkifier } = await harness
    .as(owner)
    .post("/realm/filters", { pattern: "#[0-9]+", url_template: "https://tickets.example.com/" });
  const { body: playground } = await harness.as(owner).post("/realm/playgrounds", {
    name: "Runner",
    pygments_language: "Python",
    url_template: "https://run.example.com/{code}",
  });
  const emojiName = `soup_of_${owner}`;
  await changeState(viewer, (tx) => addEmoji(tx, emojiName, { fileName: "soup.png", isAnimated: false }));
  const domain = `${owner}.example`;
  await harness.as(owner).post("/realm/domains", { domain, allow_subdomains: false });
  return {
    userId: added.user_id,
    userEmail: person.email,
    botId: bot.id,
    folderId: folder.id,
    linkifierId: linkifier.id,
    linkifierIds: [linkifier.id],
    playgroundId: playground.id,
    emojiName,
    domain,
    ...(await furnishPassing(owner)),
  };
}

/** A channel with a message, and groups. */
async function furnishPassing(owner: CastName): Promise<Omit<typeof own, keyof Lasting>> {
  const { viewer } = harness.user(owner);
  const name = `sample ${++furnished}`;
  await harness.as(owner).post("/users/me/subscriptions", { subscriptions: [{ name }] });
  const { body: found } = await harness.as(owner).get("/get_stream_id", { stream: name });
  const message = { type: "channel", to: found.stream_id, topic: "lunch", content: "Soup today?" };
  const { body: sent } = await harness.as(owner).post("/messages", message);
  const defaultGroup = await changeState(viewer, (tx) =>
    createDefaultGroup(tx, { name, description: "", channelNames: [] }),
  );
  const newGroup = (part: string) => ({ name: `${part} of ${name}`, description: "", members: [] });
  const { body: group } = await harness.as(owner).post("/user_groups/create", newGroup("apps"));
  const { body: subgroup } = await harness.as(owner).post("/user_groups/create", newGroup("phones"));
  const { body: snippet } = await harness
    .as(owner)
    .post("/saved_snippets", { title: name, content: "Hello" });
  const viewFragment = `narrow/search/${name}`;
  await harness.as(owner).post("/navigation_views", { fragment: viewFragment, is_pinned: false, name });
  const draft = { type: "", to: [], topic: "", content: "Soup" };
  const { body: drafts } = await harness.as(owner).post("/drafts", { drafts: [draft] });
  const { body: scheduled } = await harness.as(owner).post("/scheduled_messages", {
    type: "direct",
    to: [harness.user(owner).id],
    content: "Later",
    scheduled_delivery_timestamp: tomorrow(),
  });
  const { body: reminder } = await harness
    .as(owner)
    .post("/reminders", { message_id: sent.id, scheduled_delivery_timestamp: tomorrow() });
  const profileFieldIds = await profileFieldsOf(owner);
  return {
    channelId: found.stream_id,
    channelName: name,
    topic: "lunch",
    messageId: sent.id,
    ownMessageId: sent.id,
    groupId: group.group_id,
    subgroupId: subgroup.group_id,
    defaultGroupId: defaultGroup.id,
    snippetId: snippet.saved_snippet_id,
    sessionId: (await addSession(harness, owner)).id,
    passkeyId: await addPasskey(harness, harness.user(owner).viewer),
    viewFragment,
    draftId: drafts.ids[0],
    ...(await insertedUpload(harness, harness.user(owner).viewer)),
    exportId: await doneExport(harness, owner),
    scheduledMessageId: scheduled.scheduled_message_id,
    reminderId: reminder.reminder_id,
    profileFieldId: profileFieldIds[0] as number,
    profileFieldIds,
    ...(await invitationsOf(owner, `${name.replace(" ", "")}@${owner}.example`)),
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
async function profileFieldsOf(owner: CastName): Promise<number[]> {
  const { body: there } = await harness.as(owner).get("/realm/profile_fields");
  if (there.custom_fields.length > 0) return there.custom_fields.map(({ id }: { id: number }) => id);
  const { body: made } = await harness
    .as(owner)
    .post("/realm/profile_fields", { name: `field ${furnished}`, field_type: 1 });
  return [made.id];
}

async function someoneGone(): Promise<typeof gone> {
  const email = "quinn@demo.test";
  const add = { email, fullName: "Quinn Lee", role: roles.member, passwordHash: null };
  const user = await runStateChange(harness.state, (tx) => createUser(tx, harness.services.keyring, add));
  const encrypted = await findEncryptedApiKey(
    harness.services.database,
    harness.state.organizationId,
    user.id,
  );
  await runStateChange(harness.state, (tx) => deactivateUser(tx, user));
  return { email, apiKey: harness.services.keyring.decrypt(encrypted as Buffer) };
}
