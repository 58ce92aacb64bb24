// Checks every response and event that a test receives against the contract. The harness calls these
// functions for each of them, so an undeclared field can't go out unseen.
import { type TProperties, type TSchema, Type } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { Endpoint } from "../../api/endpoint.ts";
import type { ErrorDeclaration } from "../../api/error-declaration.ts";
import { errorExample } from "../../api/error-example.ts";
import { errors } from "../../api/errors.ts";
import { impliedErrors } from "../../api/implied-errors.ts";
import { endpoints, events } from "../../api/index.ts";
import { strictSchema } from "./strict-schema.ts";

// biome-ignore lint/suspicious/noExplicitAny: endpoints of all kinds are checked alike.
type AnyEndpoint = Endpoint<any, any, any>;

/**
 * Throws when a successful answer or an error is not one that the endpoint declares. `body` is the parsed
 * JSON.
 */
export function validateReply(endpoint: AnyEndpoint, body: unknown, status?: number): void {
  const result = (body as { result?: unknown } | null)?.result;
  const problems =
    result === "error"
      ? errorProblems(endpoint, body as ErrorBody, status)
      : successProblems(endpoint, body, status);
  if (problems.length > 0) throw new ContractError(describe(endpoint, problems, body));
  if (endpoint.name === "getEvents" && result === "success") {
    for (const event of (body as { events: unknown[] }).events) validateEvent(event);
  }
}

/** Throws when an event is not of a declared shape. */
export function validateEvent(event: unknown): void {
  const { type, op } = (event ?? {}) as { type?: unknown; op?: unknown };
  const title = `event ${type}${op === undefined ? "" : ` / ${op}`}`;
  const candidates = events.filter((declared) => declared.type === type && declared.op === op);
  if (candidates.length === 0) throw new ContractError(`${title} is not declared in api/events`);
  const problems = candidates.map((declared) => problemsWith(declared.schema, event));
  if (problems.some((list) => list.length === 0)) return;
  const closest = problems.reduce((best, list) => (list.length < best.length ? list : best));
  throw new ContractError(listing(title, closest, event));
}

export class ContractError extends Error {
  override name = "ContractError";
}

interface ErrorBody extends Record<string, unknown> {
  code?: unknown;
}

function successProblems(endpoint: AnyEndpoint, body: unknown, status: number | undefined): string[] {
  const problems = problemsWith(replySchema(endpoint), body);
  if (status !== undefined && status !== 200) problems.push(`status must be 200, not ${status}`);
  return problems;
}

const replySchemas = new WeakMap<AnyEndpoint, TSchema>();

function replySchema(endpoint: AnyEndpoint): TSchema {
  let schema = replySchemas.get(endpoint);
  if (!schema) {
    const fields: TProperties = {
      result: Type.Literal("success"),
      msg: Type.Literal(""),
      ignored_parameters_unsupported: Type.Optional(Type.Array(Type.String())),
      ...endpoint.reply,
    };
    schema = Type.Object(fields, { additionalProperties: endpoint.moreFields !== undefined });
    replySchemas.set(endpoint, schema);
  }
  return schema;
}

function errorProblems(endpoint: AnyEndpoint, body: ErrorBody, status: number | undefined): string[] {
  if (typeof body.msg !== "string" || body.msg === "") return ["msg must be a text"];
  const known: ErrorDeclaration[] = [...endpoint.errors, ...impliedErrors(endpoint)];
  const matching = known.filter(
    (error) => error.code === body.code && (status ?? error.status) === error.status,
  );
  if (matching.length === 0) {
    const at = status === undefined ? "" : ` with status ${status}`;
    return [`the endpoint declares no error ${body.code}${at}${suggestion(body, status)}`];
  }
  const keys = Object.keys(body).sort().join(", ");
  const allowed = matching.map((error) => Object.keys(errorExample(error)).sort().join(", "));
  return allowed.includes(keys) ? [] : [`its fields are ${keys}, not ${[...new Set(allowed)].join(" or ")}`];
}

function suggestion(body: ErrorBody, status: number | undefined): string {
  const similar = (Object.values(errors) as ErrorDeclaration[]).filter(
    (error) => error.code === body.code && (status ?? error.status) === error.status,
  );
  return similar.length > 0 ? ` (add one of: ${similar.map((error) => error.name).join(", ")})` : "";
}

const validators = new WeakMap<TSchema, Validator>();

/** The problems of a value by a schema that is closed to undeclared fields, one sentence each. */
export function problemsWith(schema: TSchema, value: unknown): string[] {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(strictSchema(schema));
    validators.set(schema, validator);
  }
  if (validator.Check(value)) return [];
  return validator.Errors(value).flatMap((error) => {
    const at = error.instancePath.slice(1) || "the whole";
    if (error.keyword === "boolean") return [`${at} is not declared`];
    if (error.keyword === "additionalProperties") return [];
    if (error.keyword === "required") return [`${at}: ${error.params.requiredProperties.join(", ")} missing`];
    if (error.keyword === "const") return [`${at} must be ${JSON.stringify(error.params.allowedValue)}`];
    return [`${at} ${error.message}`];
  });
}

function describe(endpoint: AnyEndpoint, problems: string[], body: unknown): string {
  const known = endpoints.includes(endpoint) ? "" : " (not in api/index.ts)";
  return listing(`${endpoint.method} ${endpoint.path}, ${endpoint.name}${known}`, problems, body);
}

function listing(title: string, problems: string[], value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const shown = text.length > 600 ? `${text.slice(0, 600)}…` : text;
  return [
    `${title} is not as the contract says:`,
    ...problems.slice(0, 12).map((line) => `  ${line}`),
    shown,
  ].join("\n");
}
