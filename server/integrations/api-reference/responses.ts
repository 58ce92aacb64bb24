import { type TProperties, Type } from "typebox";
import type { Endpoint } from "../../../api/endpoint.ts";
import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { errorSample } from "../../../api/error-example.ts";
import { impliedErrors } from "../../../api/implied-errors.ts";
import type { SchemaWriter } from "./json-schema.ts";

type Node = Record<string, unknown>;

/** The responses of an endpoint by status. `shared` collects those that many endpoints have in common. */
export function responsesOf(endpoint: Endpoint, schemas: SchemaWriter, shared: Record<string, Node>): Node {
  return { 200: success(endpoint, schemas), ...failures(endpoint, shared) };
}

function success({ reply, example, moreFields, errors }: Endpoint, schemas: SchemaWriter): Node {
  const fields: TProperties = {
    result: Type.Literal("success"),
    msg: Type.Literal(""),
    ...reply,
    ignored_parameters_unsupported: Type.Optional(
      Type.Array(Type.String(), {
        description: "The parameters of the request that this endpoint does not support.",
      }),
    ),
  };
  const schema = schemas.write(Type.Object(fields, moreFields ? { additionalProperties: true } : {}));
  const whole = { result: "success", msg: "", ...example.reply };
  const codes = codesOf(errors.filter(({ status }) => status === 200)).map((code) => `\`${code}\``);
  return {
    description: codes.length > 0 ? `Success, or an error with the code ${codes.join(", ")}.` : "Success.",
    headers: rateHeaders,
    content: { "application/json": { schema, example: whole } },
  };
}

/**
 * Errors by status. If an endpoint has no own error of a status, its response refers to a shared description.
 */
function failures(endpoint: Endpoint, shared: Record<string, Node>): Record<string, Node> {
  const byStatus = new Map<number, ErrorDeclaration[]>();
  for (const error of new Set([...endpoint.errors, ...impliedErrors(endpoint)])) {
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error]);
  }
  const found: Record<string, Node> = {};
  for (const [status, list] of byStatus) {
    // The description of the success has them.
    if (status === 200) continue;
    const own = list.filter((error) => endpoint.errors.includes(error));
    if (own.length > 0) {
      found[status] = failure(status, list, own);
    } else {
      const key = [status, ...codesOf(list)].join("-");
      shared[key] ??= failure(status, list, list.slice(0, 1));
      found[status] = { $ref: `#/components/responses/${key}` };
    }
  }
  return found;
}

function failure(
  status: number,
  list: readonly ErrorDeclaration[],
  shown: readonly ErrorDeclaration[],
): Node {
  const examples = Object.fromEntries(shown.map((error) => [error.name, { value: errorSample(error) }]));
  const codes = codesOf(list).map((code) => `\`${code}\``);
  const says = reasons[status] ?? "The request was refused.";
  return {
    description: codes.length > 0 ? `${says} Code: ${codes.join(", ")}.` : says,
    headers: { ...rateHeaders, ...headersByStatus[status] },
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples } },
  };
}

/** A response without a code has only its status. */
function codesOf(list: readonly ErrorDeclaration[]): string[] {
  return [...new Set(list.flatMap(({ code }) => code ?? []))];
}

const reasons: Readonly<Record<number, string>> = {
  400: "The request is invalid, or the caller may not do this.",
  401: "The credentials are missing or wrong.",
  404: "There is no such thing, or no organization under this host name.",
  408: "The request did not arrive in time.",
  409: "It exists already.",
  413: "The body is too large.",
  414: "The URL is too long.",
  429: "The caller is over the rate limit.",
  500: "The server failed, or does not know whether it succeeded.",
  503: "The server can't do this now. Nothing was changed.",
};

function header(name: string): Node {
  return { $ref: `#/components/headers/${name}` };
}

const rateHeaders: Node = {
  "X-RateLimit-Limit": header("X-RateLimit-Limit"),
  "X-RateLimit-Remaining": header("X-RateLimit-Remaining"),
  "X-RateLimit-Reset": header("X-RateLimit-Reset"),
};

const headersByStatus: Readonly<Record<number, Node>> = {
  429: { "Retry-After": header("Retry-After") },
  503: { "Retry-After": header("Retry-After") },
};

/** The headers that responses refer to. */
export const responseHeaders: Record<string, Node> = {
  "X-RateLimit-Limit": {
    description: "How many calls the caller may make in a window of a minute. Absent if limits are off.",
    schema: { type: "integer" },
    example: 200,
  },
  "X-RateLimit-Remaining": {
    description: "How many of these calls are left.",
    schema: { type: "integer" },
    example: 197,
  },
  "X-RateLimit-Reset": {
    description: "When the window ends, in UNIX seconds.",
    schema: { type: "integer" },
    example: 1700000040,
  },
  "Retry-After": {
    description: "After how many whole seconds to try again.",
    schema: { type: "integer" },
    example: 13,
  },
};

/** The schema of every error. The fields that only some have are optional. */
export function errorSchema(errors: readonly ErrorDeclaration[]): Node {
  const codes = new Map<string, { codes: Set<string>; value: unknown }>();
  for (const error of errors) {
    const { result, msg, code, ...fields } = errorSample(error);
    for (const [name, value] of Object.entries(fields)) {
      const known = codes.get(name) ?? { codes: new Set(), value };
      known.codes.add(String(code ?? `status ${error.status}`));
      codes.set(name, known);
    }
  }
  const more = [...codes].map(([name, found]) => [
    name,
    { ...typeOf(found.value), description: `With ${[...found.codes].join(", ")}.` },
  ]);
  return {
    type: "object",
    required: ["result", "msg"],
    properties: {
      result: { const: "error" },
      msg: { type: "string", description: "The error for people. The text may change." },
      code: { type: "string", description: "The error for programs." },
      ...Object.fromEntries(more),
    },
  };
}

/** The type of an example value. Its numbers are integers unless it has a fraction. */
function typeOf(value: unknown): Node {
  if (Array.isArray(value)) return { type: "array", items: typeOfItems(value) };
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number" };
  return { type: typeof value };
}

function typeOfItems(items: readonly unknown[]): Node {
  const types = new Map(items.map((item) => [JSON.stringify(typeOf(item)), typeOf(item)]));
  const [first = {}, ...others] = types.values();
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}
