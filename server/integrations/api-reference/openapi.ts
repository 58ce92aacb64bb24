import type { Access, Endpoint, EndpointFiles, Parameter } from "../../../api/endpoint.ts";
import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { errors } from "../../../api/errors.ts";
import { describeProof } from "../../../api/proof.ts";
import { defaultRateLimits, limitOfBots } from "../../platform/http/rate-limit.ts";
import { featureLevel, serverVersion } from "../../version.ts";
import { SchemaWriter } from "./json-schema.ts";
import { errorSchema, responseHeaders, responsesOf } from "./responses.ts";
import { subjectDescriptions } from "./tags.ts";

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
        responses: responsesOf(endpoint, schemas, responses),
      },
    });
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley",
      version: serverVersion,
      description: introduction,
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
      "x-feature-level": featureLevel,
    },
    servers: [{ url: "/api/v1" }],
    tags: [...new Set(endpoints.map(({ subject }) => subject))].map(tag),
    paths,
    components: {
      schemas: {
        ...schemas.components,
        Error: errorSchema(Object.values(errors) as readonly ErrorDeclaration[]),
      },
      responses,
      headers: responseHeaders,
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "basic",
          description: "The user name is the email address of a person or bot, the password is the API key.",
        },
      },
    },
  };
}

const introduction = `Send parameters in the query, as a form, or as a JSON object (\`Content-Type: application/json\`). In the query and in a form, write a list or an object as JSON: \`event_types=["message"]\`. Sign in with HTTP Basic authentication: the user name is an email address, the password is the API key.

Every response is a JSON object with \`result\` and \`msg\`. Tell errors apart by \`code\` and HTTP status, never by \`msg\`, which may change.

A person or bot may make ${defaultRateLimits.perUser} calls a minute, all bots of a person together ${limitOfBots(defaultRateLimits)}, an address without an account ${defaultRateLimits.perAddress}. Every response says what is left in the headers \`X-RateLimit-*\`. Past the limit the status is 429, and \`Retry-After\` says when to try again.

Clients learn of changes on the server through [events](/api/events). See also the list of [errors](/api/errors).`;

function tag(name: string): Node {
  const description = subjectDescriptions[name];
  return description === undefined ? { name } : { name, description };
}

/** Who may call, by the least access of an endpoint. */
export const accessDescriptions: Record<Access, string> = {
  anyone: "Anyone, without credentials.",
  spectator: "Any account. Also callers without an account, if the organization allows public access.",
  user: "Any active person or bot.",
  member: "Members and higher roles, not guests.",
  administrator: "Administrators and owners of the organization.",
  owner: "Owners of the organization.",
};

function about(endpoint: Endpoint): Node {
  const { access, proof, moreFields, developmentOnly } = endpoint;
  const who = `Who may call: ${accessDescriptions[access]}`;
  const types = [...new Set(endpoint.emits.map((name) => name.replace(/\/.*/, "")))];
  const links = types.map((type) => `[${type}](/api/events#${type})`);
  const events = links.length > 0 ? `Events that it may cause: ${links.join(", ")}.` : "";
  const development = developmentOnly ? "On development servers only." : "";
  return {
    operationId: endpoint.name,
    tags: [endpoint.subject],
    summary: endpoint.summary,
    description: [
      endpoint.description,
      moreFields ? `More fields: ${moreFields}` : "",
      who,
      proof ? `Proof: ${describeProof(proof)}` : "",
      events,
      development,
    ]
      .filter((text) => text !== "")
      .join("\n\n"),
    "x-access": access,
    ...(proof && { "x-proof": proof.rules }),
    security: access === "anyone" ? [] : access === "spectator" ? [{ apiKey: [] }, {}] : [{ apiKey: [] }],
  };
}

/** Path parameters, and the rest in the query of a GET or in the body of any other method. */
function parameters(
  { method, parameters, example, files, rawBody = false }: Endpoint,
  schemas: SchemaWriter,
): Node {
  const all = Object.entries(parameters);
  const isInAddress = ([name, { inPath }]: [string, Parameter]) =>
    method === "GET" || inPath || (rawBody && name !== "payload");
  const inAddress = all.filter(isInAddress);
  const inForm = all.filter((parameter) => !isInAddress(parameter));
  const given = example.parameters as Node;
  return {
    ...(inAddress.length > 0
      ? {
          parameters: inAddress.map(([name, parameter]) =>
            addressParameter(name, parameter, given[name], schemas),
          ),
        }
      : {}),
    ...(inForm.length > 0 || files
      ? { requestBody: rawBody ? foreignBody(given) : body(inForm, given, schemas, files) }
      : {}),
  };
}

function addressParameter(name: string, parameter: Parameter, example: unknown, schemas: SchemaWriter): Node {
  const schema = schemas.write(parameter.schema);
  const given = example === undefined ? {} : { example };
  const isJson = parameter.encoding === "json" && !parameter.inPath && isComposite(schema);
  return {
    name,
    in: parameter.inPath ? "path" : "query",
    required: parameter.required,
    description: describe(parameter),
    ...(isJson ? { content: { "application/json": { schema, ...given } } } : { schema, ...given }),
  };
}

/** JSON comes first, so that viewers send the example as it is. A form would send every field with junk. */
function body(
  fields: [string, Parameter][],
  example: Node,
  schemas: SchemaWriter,
  files: EndpointFiles | undefined,
): Node {
  const properties: Record<string, Node> = {};
  const encoding: Record<string, Node> = {};
  for (const [name, parameter] of fields) {
    properties[name] = { ...schemas.write(parameter.schema), description: describe(parameter) };
    if (parameter.encoding !== "text") encoding[name] = { contentType: "application/json" };
  }
  const required = fields.filter(([, parameter]) => parameter.required).map(([name]) => name);
  const named = required.length > 0 ? { required } : {};
  const schema = { type: "object", properties, ...named };
  const given = Object.fromEntries(Object.entries(example).filter(([name]) => name in properties));
  const withFile = files && {
    "multipart/form-data": {
      schema: { type: "object", properties: { ...properties, file: fileSchema(files) }, ...named },
      encoding,
    },
  };
  if (withFile && !files.isOptional) return { required: true, content: withFile };
  return {
    required: required.length > 0,
    content: {
      "application/json": { schema, example: given },
      "application/x-www-form-urlencoded": { schema, encoding, example: given },
      ...withFile,
    },
  };
}

/** The field can have any name. Several files are several fields. */
function fileSchema({ maxCount, maxBytes, description }: EndpointFiles): Node {
  const one = { type: "string", format: "binary" };
  const limit = `At most ${maxBytes / 2 ** 20} MiB. The field can have any name.`;
  return {
    ...(maxCount === 1 ? one : { type: "array", items: one, maxItems: maxCount }),
    description: `${description} ${limit}`,
  };
}

function foreignBody({ payload }: Node): Node {
  const schema = { description: "In the other program's own format." };
  return { content: { "application/json": { schema, example: JSON.parse(String(payload)) } } };
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
