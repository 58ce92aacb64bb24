// The rules that the contract keeps, as functions from declarations to sentences about what is wrong. There
// is no list of exceptions: a declaration that breaks a rule is changed, or the rule is.
import { type TProperties, type TSchema, Type } from "typebox";
import type { Endpoint, Parameters, SampleIds } from "../../api/endpoint.ts";
import type { ErrorDeclaration } from "../../api/error-declaration.ts";
import { errors } from "../../api/errors.ts";
import { type EventDeclaration, eventNameOf } from "../../api/event.ts";
import { events } from "../../api/index.ts";
import { problemsWith } from "../harness/validate-reply.ts";

export const sampleIds: SampleIds = {
  userId: 10,
  userEmail: "dev@demo.test",
  botId: 11,
  channelId: 12,
  channelName: "general",
  topic: "lunch",
  messageId: 1001,
  ownMessageId: 1002,
  scheduledMessageId: 27,
  reminderId: 9,
  groupId: 13,
  subgroupId: 15,
  folderId: 14,
  profileFieldId: 4,
  profileFieldIds: [4, 2, 3],
  defaultGroupId: 16,
  linkifierId: 19,
  linkifierIds: [19, 20],
  playgroundId: 21,
  emojiName: "party_soup",
  domain: "example.com",
  invitationId: 22,
  invitationLinkId: 23,
  snippetId: 17,
  sessionId: 12,
  passkeyId: 13,
  identityId: 14,
  viewFragment: "narrow/is/alerted",
  draftId: 18,
  exportId: 22,
  attachmentId: 23,
  uploadPath: "1/4e/m2A3MSqFnWRLUf9SaPzQ0Upx/soup.txt",
  queueId: "0f3b3b52-9a5e-4a53-8a7e-2f1f4b7d2f61",
  lastEventId: 1042,
  freshName: "fresh1",
};

export function endpointProblems(endpoint: Endpoint): string[] {
  const { name, summary, description, subject, parameters, reply, example } = endpoint;
  return [
    ...(/^[a-z][A-Za-z0-9]*$/.test(name) ? [] : [`the name ${name} is not in camelCase`]),
    ...(isText(subject) ? [] : ["it has no subject"]),
    ...(isText(summary) && !summary.endsWith(".") ? [] : ["the summary is a phrase without a full stop"]),
    ...(isText(description) ? [] : ["it has no description"]),
    ...parameterProblems(endpoint),
    ...undescribedFields(reply, "reply"),
    ...["result", "msg"].filter((field) => field in reply).map((field) => `reply.${field} is implied`),
    ...declaredErrorProblems(endpoint.errors),
    ...emittedProblems(endpoint.emits),
    ...prefixed("example.parameters", problemsWith(callSchema(parameters), example.parameters)),
    ...prefixed("example.reply", problemsWith(replySchema(endpoint), example.reply)),
    ...prefixed("sample", problemsWith(callSchema(parameters), endpoint.sample(sampleIds))),
  ];
}

export function eventProblems(event: EventDeclaration): string[] {
  const { type, op, payload, example } = event;
  const whole = { id: 1, type, ...(op === undefined ? {} : { op }), ...example };
  return [
    ...(/^[a-z][a-z0-9_]*$/.test(type) ? [] : [`the type ${type} is not in snake_case`]),
    ...(isText(event.description) ? [] : ["it has no description"]),
    ...undescribedFields(payload, "payload"),
    ...["id", "type", "op"].filter((field) => field in payload).map((field) => `payload.${field} is implied`),
    ...prefixed("example", problemsWith(event.schema, whole)),
  ];
}

/** A number and a text as the last part are two addresses: the router tells them apart. */
function addressOf({ path, parameters }: Endpoint): string {
  const [, last = ""] = /\{(\w+)\}$/.exec(path) ?? [];
  const shape = path.replace(/\{[^}]*\}/g, "{}");
  return parameters[last]?.encoding === "json" ? shape.replace(/\{\}$/, "{number}") : shape;
}

/** Names and addresses that two declarations share. */
export function duplicateProblems(
  endpoints: readonly Endpoint[],
  events: readonly EventDeclaration[],
): string[] {
  const addresses = endpoints.map((endpoint) => `${endpoint.method} ${addressOf(endpoint)}`);
  return [
    ...repeated(endpoints.map(({ name }) => `endpoint ${name}`)),
    ...repeated(addresses),
    ...repeated(events.map(({ type, op, variant }) => `event ${type} ${op ?? ""} ${variant ?? ""}`.trim())),
  ].map((what) => `${what} is declared twice`);
}

function parameterProblems({ path, parameters }: Endpoint): string[] {
  const named = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? "");
  const problems = named
    .filter((name) => !parameters[name]?.inPath)
    .map((name) => `the path names {${name}}, which is not declared with inPath`);
  const aliases: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) problems.push(`parameter ${name} is not in snake_case`);
    if (!isText(parameter.description)) problems.push(`parameter ${name} has no description`);
    if (parameter.inPath && !named.includes(name)) problems.push(`parameter ${name} is not in the path`);
    problems.push(...undescribed(parameter.schema, `parameter ${name}`));
    aliases.push(...parameter.aliases);
  }
  const taken = repeated([...Object.keys(parameters), ...aliases]);
  return [...problems, ...taken.map((name) => `two parameters answer to ${name}`)];
}

function emittedProblems(names: readonly string[]): string[] {
  const known = events.map(eventNameOf);
  const unknown = names.filter((name) => !known.includes(name));
  return [
    ...unknown.map((name) => `emits names ${name}, which is not an event`),
    ...repeated(names).map((name) => `emits names ${name} twice`),
  ];
}

function declaredErrorProblems(declared: readonly ErrorDeclaration[]): string[] {
  const known = new Set<ErrorDeclaration>(Object.values(errors) as ErrorDeclaration[]);
  const strangers = declared
    .filter((error) => !known.has(error))
    .map(({ code }) => `error ${code} is not in errors.ts`);
  return [
    ...strangers,
    ...repeated(declared.map(({ name }) => name)).map((name) => `error ${name} is named twice`),
  ];
}

function callSchema(parameters: Parameters): TSchema {
  const fields = Object.entries(parameters).map(([name, { schema, required }]) => [
    name,
    required ? schema : Type.Optional(schema),
  ]);
  return Type.Object(Object.fromEntries(fields), { additionalProperties: false });
}

function replySchema({ reply, moreFields }: Endpoint): TSchema {
  return Type.Object(reply, { additionalProperties: moreFields !== undefined });
}

export function undescribedFields(fields: TProperties, at: string): string[] {
  return Object.entries(fields).flatMap(([name, schema]) => [
    ...(isText((schema as { description?: unknown }).description)
      ? []
      : [`${at}.${name} has no description`]),
    ...undescribed(schema, `${at}.${name}`),
  ]);
}

/** The fields of objects anywhere inside a schema that lack a description. */
function undescribed(schema: TSchema, at: string): string[] {
  const { properties, patternProperties, items, anyOf, allOf, additionalProperties, $defs } = schema as {
    properties?: TProperties;
    patternProperties?: TProperties;
    items?: TSchema | TSchema[];
    anyOf?: TSchema[];
    allOf?: TSchema[];
    additionalProperties?: TSchema | boolean;
    $defs?: TProperties;
  };
  const inside = [
    ...[items ?? []].flat(),
    ...(anyOf ?? []),
    ...(allOf ?? []),
    ...Object.values(patternProperties ?? {}),
    ...Object.values($defs ?? {}),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  const found = [
    ...undescribedFields(properties ?? {}, at),
    ...inside.flatMap((part) => undescribed(part, at)),
  ];
  return [...new Set(found)];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function prefixed(what: string, problems: string[]): string[] {
  return problems.map((problem) => `${what}: ${problem}`);
}

export function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
