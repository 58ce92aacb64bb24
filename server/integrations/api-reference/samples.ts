/**
 * The sample call of an endpoint as code in several languages. docs/api/ shows it, and tests run it. All of
 * them are made from one request, so they can't differ.
 */
import type { Endpoint, SampleFile, SampleIds } from "../../../api/endpoint.ts";

/** Where the samples call, and as whom. Readers put their own values there. */
export const sampleSite = "https://chat.example.com";
export const sampleEmail = "you@example.com";

export interface SampleRequest {
  name: string;
  method: Endpoint["method"];
  /** Relative to /api/v1, with the values of its parameters. */
  path: string;
  /** The parameters that are not in the path. */
  fields: Readonly<Record<string, unknown>>;
  /** All parameters, as the typed client takes them. */
  parameters: Readonly<Record<string, unknown>>;
  hasCredentials: boolean;
  /** Beside those that every call has. */
  headers: Readonly<Record<string, string>>;
  /** The file that goes with the parameters, which the reader has under its name. */
  file?: SampleFile | undefined;
  /** JSON would be another program's own. */
  needsForm: boolean;
}

export function sampleRequest(endpoint: Endpoint, ids: SampleIds): SampleRequest {
  const given = Object.entries(endpoint.sample(ids)).filter(([, value]) => value !== undefined);
  let { path } = endpoint;
  const fields: Record<string, unknown> = {};
  for (const [name, value] of given) {
    if (endpoint.parameters[name]?.inPath) {
      path = path.replace(`{${name}}`, () => encodeURIComponent(formText(value)));
    } else {
      fields[name] = value;
    }
  }
  const { name, method, access } = endpoint;
  return {
    name,
    method,
    path,
    fields,
    parameters: Object.fromEntries(given),
    hasCredentials: access !== "anyone",
    headers: endpoint.startsSession ? { Origin: sampleSite, "X-Parley-Client": "ExampleClient/1.0" } : {},
    file: endpoint.files?.sample,
    needsForm: endpoint.rawBody ?? false,
  };
}

/** A value in a form or in a query: texts as they are, everything else as JSON. */
export function formText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function curlSample({ method, path, fields, hasCredentials, headers, file }: SampleRequest): string {
  const entries = Object.entries(fields);
  const implied = entries.length > 0 || file ? "POST" : "GET";
  const options = [
    ...(method === "GET" && entries.length > 0 ? ["-G"] : method === implied ? [] : [`-X ${method}`]),
    quoted(addressOf(path)),
  ].join(" ");
  const data = entries.map(([name, value]) => {
    const text = formText(value);
    if (file) return `--form-string ${quoted(`${name}=${text}`)}`;
    return isPlain(text) ? `-d ${name}=${text}` : `--data-urlencode ${quoted(`${name}=${text}`)}`;
  });
  const credentials = hasCredentials ? [`-u ${sampleEmail}:API_KEY`] : [];
  if (file) data.push(`-F ${quoted(`file=@${file.name}`)}`);
  const named = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return `curl ${[options, ...credentials, ...named, ...data].join(" \\\n  ")}`;
}

/** Text that neither a shell nor a form changes. */
function isPlain(text: string): boolean {
  return /^[\w.,:/@-]+$/.test(text);
}

function quoted(text: string): string {
  return /^[\w.,:/@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function fetchSample(sample: SampleRequest): string {
  const { method, path, fields, hasCredentials, file, needsForm } = sample;
  if (file) return fetchFileSample(sample, file);
  const isQuery = method === "GET" && Object.keys(fields).length > 0;
  const hasBody = method !== "GET" && Object.keys(fields).length > 0;
  const headers = [
    ...(hasCredentials ? [`    Authorization: "Basic " + btoa("${sampleEmail}:API_KEY"),`] : []),
    ...(hasBody && !needsForm ? ['    "Content-Type": "application/json",'] : []),
    // A browser sets the origin itself.
    ...Object.entries(sample.headers)
      .filter(([name]) => name !== "Origin")
      .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? ["  headers: {", ...headers, "  },"] : []),
    ...(hasBody ? [`  body: ${bodyOf(fields, needsForm)},`] : []),
  ];
  const address = isQuery ? `\`${addressOf(path)}?\${query}\`` : JSON.stringify(addressOf(path));
  const query = isQuery
    ? [`const query = new URLSearchParams(${literal(queryOf(fields, javaScript), javaScript)});`]
    : [];
  const last = options.length > 0 ? `, {\n${options.join("\n")}\n}` : "";
  return [
    ...query,
    `const response = await fetch(${address}${last});`,
    "console.log(await response.json());",
  ].join("\n");
}

/** `picture` is a file that somebody chose on a page, for example. */
function fetchFileSample({ method, path, fields }: SampleRequest, file: SampleFile): string {
  return [
    "const form = new FormData();",
    ...Object.entries(fields).map(
      ([name, value]) => `form.append(${JSON.stringify(name)}, ${JSON.stringify(formText(value))});`,
    ),
    `form.append("file", ${VARIABLE}, ${JSON.stringify(file.name)});`,
    `const response = await fetch(${JSON.stringify(addressOf(path))}, {`,
    `  method: "${method}",`,
    "  headers: {",
    `    Authorization: "Basic " + btoa("${sampleEmail}:API_KEY"),`,
    "  },",
    "  body: form,",
    "});",
    "console.log(await response.json());",
  ].join("\n");
}

/** Stands for a file's content, as a Blob. */
const VARIABLE = "picture";

function bodyOf(fields: SampleRequest["fields"], needsForm: boolean): string {
  if (!needsForm) return `JSON.stringify(${literal(fields, javaScript, "  ")})`;
  return `new URLSearchParams(${literal(queryOf(fields, javaScript, "  "), javaScript, "  ")})`;
}

/** With a `client` as client/README.md makes it. */
export function clientSample({ name, parameters, file }: SampleRequest): string {
  const given = Object.keys(parameters).length > 0 || file ? literal(parameters, javaScript) : "";
  if (file) {
    const options = `{\n  files: [{ name: ${JSON.stringify(file.name)}, content: ${VARIABLE} }],\n}`;
    return `const reply = await client.${name}(${given}, ${options});\nconsole.log(reply);`;
  }
  return `const reply = await client.${name}(${given});\nconsole.log(reply);`;
}

export function requestsSample(sample: SampleRequest): string {
  const { method, path, fields, hasCredentials, headers, file } = sample;
  const needsForm = sample.needsForm || file !== undefined;
  const isGet = method === "GET";
  const values = isGet || needsForm ? queryOf(fields, python, "    ") : fields;
  const hasJson = Object.values(values).some((value) => value instanceof Raw);
  const lines = [
    `    "${addressOf(path)}",`,
    ...(hasCredentials ? [`    auth=("${sampleEmail}", "API_KEY"),`] : []),
    ...(Object.keys(fields).length > 0
      ? [`    ${isGet ? "params" : needsForm ? "data" : "json"}=${literal(values, python, "    ")},`]
      : []),
    ...(file ? [`    files={"file": open("${file.name}", "rb")},`] : []),
    ...(Object.keys(headers).length > 0 ? [`    headers=${literal(headers, python, "    ")},`] : []),
  ];
  return `${hasJson ? "import json\n\n" : ""}import requests

response = requests.${method.toLowerCase()}(
${lines.join("\n")}
)
print(response.json())`;
}

/** With a `client` of the package `zulip`. It writes lists and objects as JSON by itself. */
export function callEndpointSample({ method, path, fields, file }: SampleRequest): string {
  const lines = [
    `    url="${path.slice(1)}",`,
    `    method="${method}",`,
    ...(Object.keys(fields).length > 0 ? [`    request=${literal(fields, python, "    ")},`] : []),
    ...(file ? [`    files=[open("${file.name}", "rb")],`] : []),
  ];
  return `reply = client.call_endpoint(\n${lines.join("\n")}\n)\nprint(reply)`;
}

function addressOf(path: string): string {
  return `${sampleSite}/api/v1${path}`;
}

interface Dialect {
  key(name: string): string;
  constant(value: null | boolean): string;
  toJson: string;
  /** Between the braces of a short object. */
  padding: string;
  indent: string;
}

const javaScript: Dialect = {
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
  constant: (value) => String(value),
  toJson: "JSON.stringify",
  padding: " ",
  indent: "  ",
};

const python: Dialect = {
  key: (name) => JSON.stringify(name),
  constant: (value) => (value === null ? "None" : value ? "True" : "False"),
  toJson: "json.dumps",
  padding: "",
  indent: "    ",
};

/** Code that makes a value. */
class Raw {
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

/** In a query, everything but texts and numbers is JSON. */
function queryOf(
  fields: Readonly<Record<string, unknown>>,
  dialect: Dialect,
  indent = "",
): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]) => {
    if (typeof value === "boolean") return [name, String(value)];
    const isPlainValue = typeof value === "string" || typeof value === "number";
    return [
      name,
      isPlainValue
        ? value
        : new Raw(`${dialect.toJson}(${literal(value, dialect, `${indent}${dialect.indent}`)})`),
    ];
  });
  return Object.fromEntries(entries);
}

const MAX_COLUMNS = 76;

/** A value as code: on one line if that is short, otherwise with a line for each part. */
function literal(value: unknown, dialect: Dialect, indent = ""): string {
  if (value instanceof Raw) return value.code;
  if (value === null || typeof value === "boolean") return dialect.constant(value);
  if (typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = `${indent}${dialect.indent}`;
  const parts = isList
    ? value.map((part) => literal(part, dialect, inner))
    : Object.entries(value).map(([name, part]) => `${dialect.key(name)}: ${literal(part, dialect, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return `${open}${close}`;
  const padding = isList ? "" : dialect.padding;
  const line = `${open}${padding}${parts.join(", ")}${padding}${close}`;
  if (!line.includes("\n") && indent.length + line.length <= MAX_COLUMNS) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},`).join("\n")}\n${indent}${close}`;
}

/** The values that docs/api/ shows in place of a reader's own. */
export const shownIds: SampleIds = {
  userId: 12,
  userEmail: "dev@example.com",
  botId: 15,
  channelId: 7,
  channelName: "general",
  topic: "lunch",
  messageId: 72,
  ownMessageId: 73,
  scheduledMessageId: 4,
  reminderId: 5,
  groupId: 21,
  subgroupId: 22,
  folderId: 3,
  profileFieldId: 8,
  profileFieldIds: [8, 9],
  linkifierId: 6,
  linkifierIds: [6, 2],
  playgroundId: 10,
  emojiName: "party_soup",
  domain: "example.com",
  invitationId: 6,
  invitationLinkId: 7,
  defaultGroupId: 11,
  snippetId: 13,
  sessionId: 17,
  passkeyId: 4,
  identityId: 7,
  viewFragment: "narrow/is/starred",
  draftId: 14,
  exportId: 16,
  attachmentId: 17,
  uploadPath: "1/4e/m2A3MSqFnWRLUf9SaPzQ0Upx/soup.txt",
  queueId: "0f3b3b52-9a5e-4a53-8a7e-2f1f4b7d2f61",
  lastEventId: 1043,
  freshName: "soup",
};
