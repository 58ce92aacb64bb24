// The contract as plain TypeScript, for the client's package: the types of calls, replies, events and
// failures, and the table of endpoints. The result needs neither the schema library nor the server.
import { Type } from "typebox";
import { commentText, fieldsOf, fieldsText, keyText, typeText, unionText } from "./schema-text.js";

/**
 * @typedef {import("../api/endpoint.ts").Endpoint} Endpoint
 * @typedef {import("../api/error-declaration.ts").ErrorDeclaration} ErrorDeclaration
 * @typedef {object} Contract
 * @property {readonly Endpoint[]} endpoints
 * @property {ReadonlyMap<string, import("../api/event.ts").EventDeclaration>} events by their names in `api/`
 * @property {readonly import("../api/register-section.ts").RegisterSectionDeclaration[]} sections
 * @property {readonly string[]} capabilities
 * @property {readonly ErrorDeclaration[]} errors
 * @property {(endpoint: Endpoint) => readonly ErrorDeclaration[]} impliedErrors
 * @property {(error: ErrorDeclaration) => Record<string, unknown>} errorExample
 * @property {Readonly<Record<string, import("typebox").TSchema>>} errorFields
 */

/** The text of the package's `client/contract.ts`. @param {Contract} contract */
export function contractText(contract) {
  const { endpoints, events, capabilities } = contract;
  const received = [...events]
    .filter(([, { type }]) => type !== "heartbeat")
    .map(([name]) => eventType(name));
  return `${[
    "// Made from the server's contract. Don't edit.",
    'import type { Answer, Callable, CallOptions } from "./connection.ts";',
    ...endpoints.flatMap((endpoint) => [parametersText(endpoint), replyText(endpoint)]),
    `/** A function for each endpoint. */
export interface Calls {
${endpoints.map((endpoint) => callText(endpoint, contract)).join("\n")}
}`,
    `/** Parameters, reply and error codes of each endpoint. */
export interface Endpoints {
${endpoints.map((endpoint) => entryText(endpoint, contract)).join("\n")}
}`,
    "export type EndpointName = keyof Endpoints;",
    `/** The errors that one endpoint can give. */
export type ApiFailureOf<N extends EndpointName> = Extract<ApiFailure, { code: Endpoints[N]["code"] }>;`,
    failuresText(contract),
    ...[...events].map(
      ([name, { description, schema }]) =>
        `${commentText([description])}export interface ${eventType(name)} ${typeText(schema)}`,
    ),
    `/** An event of a queue, told apart by \`type\` and \`op\`. A newer server may send others. */
export type QueuedEvent =${unionText(received, "\n  ")};`,
    "export type RegisterParameters = RegisterQueueParameters;",
    snapshotText(contract),
    tableText(endpoints),
    `/** Every capability: a client that declares them all receives the newest forms of events. */
export const allCapabilities: Record<string, boolean> = {
${capabilities.map((name) => `  ${name}: true,`).join("\n")}
};`,
  ].join("\n\n")}\n`;
}

/** `messageSent` to `MessageSentEvent`. @param {string} name */
export function eventType(name) {
  return `${capitalized(name)}Event`;
}

/** @param {Endpoint} endpoint */
function parametersText({ name, parameters }) {
  const fields = Object.entries(parameters)
    .filter(([, { ignored }]) => !ignored)
    .map(([name, { schema, required, description }]) => ({
      name,
      type: typeText(schema, "  "),
      isRequired: required,
      description,
    }));
  return `export interface ${capitalized(name)}Parameters ${fieldsText(fields)}`;
}

/**
 * The events of a poll have types of their own, which the reply's schema can't name.
 * @param {Endpoint} endpoint
 */
function replyText({ name, reply }) {
  const fields = fieldsOf(Type.Object(reply)).map((field) =>
    name === "getEvents" && field.name === "events"
      ? { ...field, type: "(QueuedEvent | HeartbeatEvent)[]" }
      : field,
  );
  return `export interface ${capitalized(name)}Reply ${fieldsText(fields)}`;
}

/** @param {Endpoint} endpoint @param {Contract} contract */
function callText(endpoint, contract) {
  const { name, summary, description, method, path, parameters } = endpoint;
  const isOptional = Object.values(parameters).every(({ required }) => !required);
  const codes = codesOf(endpoint, contract).join(", ");
  const comment = commentText(
    [`${summary}: \`${method} ${path}\`.`, description, `Error codes: ${codes}.`],
    "  ",
  );
  const type = capitalized(name);
  return `${comment}  ${name}(parameters${isOptional ? "?" : ""}: ${type}Parameters, options?: CallOptions): Promise<Answer<${type}Reply>>;`;
}

/** @param {Endpoint} endpoint @param {Contract} contract */
function entryText(endpoint, contract) {
  const type = capitalized(endpoint.name);
  const codes = [...codesOf(endpoint, contract).map((code) => JSON.stringify(code)), "undefined"];
  return `  ${endpoint.name}: { parameters: ${type}Parameters; reply: ${type}Reply; code: ${unionText(codes)} };`;
}

/** @param {Endpoint} endpoint @param {Contract} contract */
function codesOf(endpoint, { impliedErrors }) {
  const codes = [...endpoint.errors, ...impliedErrors(endpoint)].flatMap(({ code }) => code ?? []);
  return [...new Set(codes)].sort();
}

/**
 * One member for each code. A field that only some errors of the code have is optional.
 * @param {Contract} contract
 */
function failuresText({ errors, errorExample, errorFields }) {
  const codes = [...new Set(errors.map(({ code }) => code))];
  const members = codes.map((code) => {
    const declared = errors.filter((error) => error.code === code);
    const shapes = declared.map((error) => {
      const { result, msg, code: _, ...fields } = errorExample(error);
      return Object.keys(fields);
    });
    const fields = [...new Set(shapes.flat())].map((name) => {
      const schema = errorFields[name];
      if (!schema) throw new Error(`api/error-fields.ts lacks the error field ${name}.`);
      const isRequired = shapes.every((shape) => shape.includes(name));
      return { name, type: typeText(schema, "    "), isRequired };
    });
    const statuses = unionText(declared.map(({ status }) => String(status)).sort());
    const literal = code === undefined ? "undefined" : JSON.stringify(code);
    return `{ kind: "api"; code: ${literal}; status: ${statuses}; fields: ${fieldsText(fields, "    ")} }`;
  });
  return `/** The server returned an error of the contract, told apart by its code. A newer server may have others. */
export type ApiFailure =${unionText(members, "\n  ")};`;
}

/** No interface, so that it can be used where any object of unknown fields can. @param {Contract} contract */
function snapshotText({ sections }) {
  const fields = Object.assign({}, ...sections.map(({ fields }) => fields));
  return `/** The response of /register: the fixed fields, and the requested parts of the state. */
export type Snapshot = Answer<RegisterQueueReply> & ${typeText(Type.Partial(Type.Object(fields)))};`;
}

/** What the client needs at run time. @param {readonly Endpoint[]} endpoints */
function tableText(endpoints) {
  /** @type {Set<string>} */
  const encodings = new Set();
  const rows = endpoints.map(({ name, method, path, parameters }) => {
    const cells = Object.entries(parameters).map(([name, { encoding, inPath }]) => {
      const value = inPath ? `${encoding}InPath` : encoding;
      encodings.add(`const ${value} = { encoding: "${encoding}", inPath: ${inPath} } as const;`);
      return `${keyText(name)}: ${value}`;
    });
    return `  ${name}: { name: "${name}", method: "${method}", path: "${path}", parameters: { ${cells.join(", ")} } },`;
  });
  return `${[...encodings].join("\n")}

export const endpoints: {
  readonly [N in EndpointName]: Callable<Endpoints[N]["parameters"], Endpoints[N]["reply"]>;
} = {
${rows.join("\n")}
};`;
}

/** @param {string} name */
function capitalized(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
