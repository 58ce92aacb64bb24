import type { FastifyInstance, InjectOptions } from "fastify";
import type { Endpoint, SampleIds } from "../../api/endpoint.ts";
import type { ErrorDeclaration } from "../../api/error-declaration.ts";
import { errorExample } from "../../api/error-example.ts";
import { impliedErrors } from "../../api/implied-errors.ts";
import { watchCall } from "../harness/caused-events.ts";
import { sampleBody } from "../harness/multipart.ts";
import { ownPageHeaders } from "../harness/own-page-headers.ts";
import { validateReply } from "../harness/validate-reply.ts";

export interface Outcome {
  status: number;
  text: string;
}

/** An endpoint's sample call, or a variant of it that other rules apply to (see variants.ts). */
export interface Sample {
  /** The endpoint's name, followed by the variant's. */
  name: string;
  endpoint: Endpoint;
  parameters(ids: SampleIds): Record<string, unknown>;
}

/** The ids that a sample call uses. */
export function idsUsedBy(sample: Sample): Set<keyof SampleIds> {
  const used = new Set<keyof SampleIds>();
  const recorder = new Proxy(missingIds, {
    get(target, name) {
      used.add(name as keyof SampleIds);
      return Reflect.get(target, name);
    },
  });
  sample.parameters(recorder);
  return used;
}

/** Ids of things that do not exist. */
export const missingIds: SampleIds = {
  userId: 9_000_001,
  userEmail: "no-such-person@demo.test",
  botId: 9_000_002,
  channelId: 9_000_003,
  channelName: "no such channel",
  topic: "lunch",
  messageId: 9_000_004,
  ownMessageId: 9_000_005,
  scheduledMessageId: 9_000_011,
  reminderId: 9_000_012,
  groupId: 9_000_006,
  subgroupId: 9_000_008,
  folderId: 9_000_007,
  profileFieldId: 9_000_013,
  profileFieldIds: [9_000_014],
  defaultGroupId: 9_000_010,
  linkifierId: 9_000_013,
  linkifierIds: [9_000_014],
  playgroundId: 9_000_015,
  emojiName: "no_such_emoji",
  domain: "no-such-domain.example",
  invitationId: 9_000_016,
  invitationLinkId: 9_000_017,
  snippetId: 9_000_011,
  viewFragment: "narrow/is/missing",
  draftId: 9_000_012,
  sessionId: 9_000_018,
  passkeyId: 9_000_019,
  identityId: 9_000_020,
  exportId: 9_000_016,
  attachmentId: 9_000_018,
  uploadPath: "9000019/00/AAAAAAAAAAAAAAAAAAAAAAAA/missing.txt",
  queueId: "0f3b3b52-9a5e-4a53-8a7e-2f1f4b7d2f61",
  lastEventId: 1,
  freshName: "ghost",
};

/** The kinds of ids that say where in the organization something is. */
export const channelKeys = ["channelId", "channelName"] as const;
export const messageKeys = ["messageId", "ownMessageId"] as const;

/** A response about missing things, rewritten as if it were about these things. */
export function asIfAbout(ids: SampleIds, text: string): string {
  let result = text;
  for (const [key, ghost] of Object.entries(missingIds)) {
    if (key === "topic" || key === "lastEventId" || key === "freshName") continue;
    result = result.replaceAll(String(ghost), String(ids[key as keyof SampleIds]));
  }
  return result;
}

/** Calls an endpoint. The response is checked against the contract. */
export async function call(
  app: FastifyInstance,
  endpoint: Endpoint,
  parameters: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<Outcome> {
  let path = endpoint.path;
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (endpoint.parameters[name]?.inPath) path = path.replace(`{${name}}`, () => encodeURIComponent(text));
    else form.append(name, text);
  }
  const body = sampleBody(endpoint, form);
  const request: InjectOptions =
    endpoint.method === "GET"
      ? { method: "GET", url: `/api/v1${path}?${form}`, headers }
      : {
          method: endpoint.method,
          url: `/api/v1${path}`,
          headers: { ...headers, ...body.headers },
          payload: body.payload,
        };
  if (endpoint.startsSession) request.headers = { ...ownPageHeaders, ...request.headers };
  const response = await watchCall(app, endpoint, () => app.inject(request));
  validateReply(endpoint, response.json(), response.statusCode);
  return { status: response.statusCode, text: response.body };
}

/** The name of the declared error that a response is. */
export function errorNameOf(endpoint: Endpoint, { status, text }: Outcome): string {
  const { code, msg } = JSON.parse(text) as { code?: string; msg: string };
  const known = [...endpoint.errors, ...impliedErrors(endpoint)].filter(
    (error) => error.code === code && error.status === status,
  );
  const matching = known.filter((error) => patternOf(error).test(msg));
  if (!matching[0]) throw new Error(`${endpoint.name} declares no error like ${text}`);
  // A text with fewer gaps is the more specific match.
  return matching.reduce((best, error) => (gaps(error) < gaps(best) ? error : best)).name;
}

/** A declared error's text, with … wherever it depends on the request. */
export function wordsOf(endpoint: Endpoint, name: string): string {
  const error = [...endpoint.errors, ...impliedErrors(endpoint)].find((each) => each.name === name);
  return error ? (errorExample(error).msg as string).replace(/<\w+>/g, "…") : "";
}

function patternOf(error: ErrorDeclaration): RegExp {
  const text = (errorExample(error).msg as string).split(/<\w+>/);
  return new RegExp(`^${text.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`, "s");
}

function gaps(error: ErrorDeclaration): number {
  return (errorExample(error).msg as string).split(/<\w+>/).length;
}
