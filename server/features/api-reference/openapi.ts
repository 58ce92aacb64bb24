import { type TProperties, Type } from "typebox";
import type { Access, Endpoint, Parameter } from "../../../api/endpoint.ts";
import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { errorExample } from "../../../api/error-example.ts";
import { impliedErrors } from "../../../api/implied-errors.ts";
import { featureLevel, serverVersion } from "../../version.ts";
import { SchemaWriter } from "./json-schema.ts";

type Node = Record<string, unknown>;

/** The contract as an OpenAPI 3.1 document. */
export function openApiDocument(endpoints: readonly Endpoint[]): Node {
  const schemas = new SchemaWriter();
  const responses: Record<string, Node> = {};
  const paths: Record<string, Node> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] ??= {};
    Object.assign(paths[endpoint.path] as Node, {
      [endpoint.method.toLowerCase()]: {
        ...about(endpoint),
        ...parameters(endpoint, schemas),
        responses: { 200: success(endpoint, schemas), ...failures(endpoint, responses) },
      },
    });
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley",
      version: serverVersion,
      description: introduction,
      "x-feature-level": featureLevel,
    },
    servers: [{ url: "/api/v1" }],
    tags: [...new Set(endpoints.map(({ subject }) => subject))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...schemas.components, Error: errorSchema },
      responses,
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "basic",
          description: "The user name is the e-mail address of a person or bot, the password is the API key.",
        },
      },
    },
  };
}

const introduction = `Requests are form-encoded, not JSON. Send parameters in the query or in an \`application/x-www-form-urlencoded\` body; every method reads both. Encode a list or an object as JSON inside its field: \`event_types=["message"]\`.

Every response is a JSON object with \`result\` and \`msg\`. Tell errors apart by \`code\` and HTTP status, never by \`msg\`, which may change.

Clients learn of changes on the server through [events](/api/events). See also the list of [errors](/api/errors).`;

const errorSchema: Node = {
  type: "object",
  required: ["result", "msg"],
  properties: {
    result: { const: "error" },
    msg: { type: "string", description: "The error for people. The text may change." },
    code: { type: "string", description: "The error for programs." },
  },
  description: "Some errors have further fields.",
};

const readers: Record<Access, string> = {
  anyone: "Anyone, without credentials.",
  spectator: "Any account. Also callers without an account, if the organization allows public access.",
  user: "Any active person or bot.",
  member: "Members and higher roles, not guests.",
  administrator: "Administrators and owners of the organization.",
  owner: "Owners of the organization.",
};

function about(endpoint: Endpoint): Node {
  const { access, moreFields, developmentOnly } = endpoint;
  const who = `Who may call: ${readers[access]}`;
  const development = developmentOnly ? "On development servers only." : "";
  return {
    operationId: endpoint.name,
    tags: [endpoint.subject],
    summary: endpoint.summary,
    description: [endpoint.description, moreFields ? `More fields: ${moreFields}` : "", who, development]
      .filter((text) => text !== "")
      .join("\n\n"),
    "x-access": access,
    security: access === "anyone" ? [] : access === "spectator" ? [{ apiKey: [] }, {}] : [{ apiKey: [] }],
  };
}

/** Path parameters, and the rest in the query of a GET or in the form of any other method. */
function parameters({ method, parameters, example }: Endpoint, schemas: SchemaWriter): Node {
  const all = Object.entries(parameters);
  const inForm = method === "GET" ? [] : all.filter(([, parameter]) => !parameter.inPath);
  const inAddress = all.filter(([, parameter]) => method === "GET" || parameter.inPath);
  const given = example.parameters as Node;
  return {
    ...(inAddress.length > 0
      ? { parameters: inAddress.map(([name, one]) => addressParameter(name, one, given[name], schemas)) }
      : {}),
    ...(inForm.length > 0 ? { requestBody: form(inForm, given, schemas) } : {}),
  };
}

function addressParameter(name: string, parameter: Parameter, example: unknown, schemas: SchemaWriter): Node {
  const schema = schemas.write(parameter.schema);
  const isJson = parameter.encoding === "json" && !parameter.inPath && isComposite(schema);
  return {
    name,
    in: parameter.inPath ? "path" : "query",
    required: parameter.required,
    description: describe(parameter),
    ...(isJson ? { content: { "application/json": { schema } } } : { schema }),
    ...(example === undefined || isJson ? {} : { example }),
  };
}

function form(fields: [string, Parameter][], example: Node, schemas: SchemaWriter): Node {
  const properties: Record<string, Node> = {};
  const encoding: Record<string, Node> = {};
  for (const [name, parameter] of fields) {
    properties[name] = { ...schemas.write(parameter.schema), description: describe(parameter) };
    if (parameter.encoding !== "text") encoding[name] = { contentType: "application/json" };
  }
  const required = fields.filter(([, parameter]) => parameter.required).map(([name]) => name);
  const schema = { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
  const given = Object.fromEntries(Object.entries(example).filter(([name]) => name in properties));
  return {
    required: required.length > 0,
    content: { "application/x-www-form-urlencoded": { schema, encoding, example: given } },
  };
}

/** In a URL, a JSON scalar looks the same as plain text; a list or an object doesn't. */
function isComposite(schema: Node): boolean {
  return !["integer", "number", "boolean", "string"].includes(String(schema.type));
}

function describe({ description, aliases, encoding, ignored }: Parameter): string {
  const notes = [
    ...(aliases.length > 0 ? [`Also accepted as ${aliases.map((name) => `\`${name}\``).join(", ")}.`] : []),
    ...(encoding === "either" ? ["Sent as JSON or as plain text."] : []),
    ...(ignored ? ["Accepted from older clients; has no effect."] : []),
  ];
  return [description, ...notes].join(" ");
}

function success({ reply, example, moreFields }: Endpoint, schemas: SchemaWriter): Node {
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
  return { description: "Success.", content: { "application/json": { schema, example: whole } } };
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
    const own = list.filter((error) => endpoint.errors.includes(error));
    if (own.length > 0) {
      found[status] = failure(list, own);
    } else {
      const key = [status, ...codesOf(list)].join("-");
      shared[key] ??= failure(list, list.slice(0, 1));
      found[status] = { $ref: `#/components/responses/${key}` };
    }
  }
  return found;
}

function failure(list: readonly ErrorDeclaration[], shown: readonly ErrorDeclaration[]): Node {
  const examples = Object.fromEntries(shown.map((error) => [error.name, { value: errorExample(error) }]));
  return {
    description: codesOf(list).join(", "),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples } },
  };
}

function codesOf(list: readonly ErrorDeclaration[]): string[] {
  return [...new Set(list.map(({ code }) => code ?? "none"))];
}
