import type { InjectOptions } from "fastify";
import type { Endpoint, SampleIds } from "../../api/endpoint.ts";
import type { UserId } from "../../api/ids.ts";
import { presences } from "../../server/profiles/presence/presences.ts";
import { forms } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness, HOST } from "../harness/harness.ts";
import { sampleBody } from "../harness/multipart.ts";
import { ownPageHeaders } from "../harness/own-page-headers.ts";
import { validateReply } from "../harness/validate-reply.ts";
import { idsUsedBy } from "../permissions/sample-call.ts";
import { furnish, furnishPassing, type PassingThings, someoneGone, type Things } from "./furnish.ts";

export type Fields = Record<string, string>;

interface Outcome {
  status: number;
  body: { result?: string; code?: string; msg?: string; var_name?: string };
}

/** Two organizations with everything that sample calls name. */
export class SampleWorld {
  readonly harness: Harness;
  readonly own: Things;
  /** Things of zed's organization. */
  readonly foreign: Things;
  /** Somebody who was deactivated. */
  readonly gone: { email: string; apiKey: string };
  #calls = 0;
  /** The two organizations were furnished. */
  #furnished = 2;

  private constructor(harness: Harness, things: Pick<SampleWorld, "own" | "foreign" | "gone">) {
    this.harness = harness;
    this.own = things.own;
    this.foreign = things.foreign;
    this.gone = things.gone;
  }

  static async open(): Promise<SampleWorld> {
    // It makes more calls in a minute than a person may.
    const harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
    const own = await furnish(harness, { owner: "ada", botOwner: "ben", number: 1 });
    const others = await furnish(harness, { owner: "zed", botOwner: "zed", number: 2 });
    const foreign = { ...others, channelName: own.channelName, topic: own.topic };
    const gone = await someoneGone(harness);
    // The person was there once: otherwise there is no presence to ask for.
    harness.state.get(presences).report(own.userId as UserId, true, Date.now());
    // Reports need a channel to go to.
    const reports = await harness.channel("reports", ["ada"], { isPrivate: true });
    await harness.as("ada").patch("/realm", { moderation_request_channel_id: reports.id });
    return new SampleWorld(harness, { own, foreign, gone });
  }

  close(): Promise<void> {
    return this.harness.close();
  }

  furnishPassing(owner: CastName): Promise<PassingThings> {
    return furnishPassing(this.harness, owner, ++this.#furnished);
  }

  /** Ids for a sample call. Only an endpoint that names a queue gets one, since making a queue takes time. */
  async idsFor(endpoint: Endpoint, name: CastName, ids: Things): Promise<SampleIds> {
    if (usesQueue(endpoint)) return this.#withQueue(name, ids);
    return { ...ids, queueId: "unused", lastEventId: 0, freshName: `fresh${++this.#calls}` };
  }

  as(name: CastName): Fields {
    const { email, apiKey } = this.harness.user(name);
    return basic(email, apiKey);
  }

  /** The whole snapshot of a client with every capability, without what belongs to its queue. */
  async stateOf(name: CastName): Promise<unknown> {
    const { body } = await this.harness.as(name).post("/register", { ...forms.modern });
    await this.harness.as(name).delete("/events", { queue_id: body.queue_id });
    const { queue_id: _, last_event_id: _last, server_timestamp: _now, ...state } = body;
    return state;
  }

  async call(endpoint: Endpoint, fields: Fields, headers: Fields): Promise<Outcome> {
    let path = endpoint.path;
    const pairs: string[] = [];
    for (const [name, encoded] of Object.entries(fields)) {
      if (endpoint.parameters[name]?.inPath) path = path.replace(`{${name}}`, () => encoded);
      else pairs.push(`${name}=${encoded}`);
    }
    return this.send(endpoint, path, pairs, headers);
  }

  async send(endpoint: Endpoint, path: string, pairs: readonly string[], headers: Fields): Promise<Outcome> {
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
    const response = await this.harness.app.inject(request);
    const body = response.json();
    const isElsewhere =
      response.statusCode === 404 || response.statusCode === 405 || response.statusCode === 414;
    if (!isElsewhere && response.statusCode < 500) validateReply(endpoint, body, response.statusCode);
    return { status: response.statusCode, body };
  }

  async #withQueue(name: CastName, ids: Things): Promise<SampleIds> {
    const { body } = await this.harness.as(name).post("/register", { event_types: ["message"] });
    return {
      ...ids,
      queueId: body.queue_id,
      lastEventId: body.last_event_id,
      freshName: `fresh${++this.#calls}`,
    };
  }
}

export function basic(email: string, key: string): Fields {
  return { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}` };
}

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
  "identityId",
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

export function sampleIds(seed: number): Things {
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
  } as Things;
}

/** The parameters of the sample call, encoded for a form. */
export function sampleOf(endpoint: Endpoint, ids: SampleIds): Fields {
  const fields = Object.entries(endpoint.sample(ids)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value)),
    ]),
  );
}

function usesQueue(endpoint: Endpoint): boolean {
  const used = idsUsedBy({ name: endpoint.name, endpoint, parameters: endpoint.sample });
  return used.has("queueId") || used.has("lastEventId");
}
