// The texts of docs/api/. tools/generate-api-docs.js writes them.
import { Type } from "typebox";
import { channelTable, markdownTable, rolesTable } from "./permission-tables.js";

/**
 * @typedef {import("../api/endpoint.ts").Endpoint} Endpoint
 * @typedef {import("../api/event.ts").EventDeclaration} Event
 * @typedef {import("../api/error-declaration.ts").ErrorDeclaration} ErrorDeclaration
 * @typedef {import("./permission-tables.js").Table} Table
 * @typedef {typeof import("../server/integrations/api-reference/samples.ts")} Samples
 * @typedef {typeof import("../server/integrations/api-reference/field-list.ts")} FieldList
 * @typedef {typeof import("../server/integrations/api-reference/openapi.ts")} OpenApi
 * @typedef {Samples & FieldList & {
 *   endpoints: readonly Endpoint[],
 *   events: readonly Event[],
 *   registerSections: readonly import("../api/register-section.ts").RegisterSectionDeclaration[],
 *   eventNameOf: (event: Event) => string,
 *   errors: readonly ErrorDeclaration[],
 *   impliedErrors: (endpoint: Endpoint) => readonly ErrorDeclaration[],
 *   errorExample: (error: ErrorDeclaration) => Record<string, unknown>,
 *   subjectDescriptions: Readonly<Record<string, string>>,
 *   accessDescriptions: OpenApi["accessDescriptions"],
 *   describeProof: typeof import("../api/proof.ts").describeProof,
 *   rateLimits: import("../server/platform/http/rate-limit.ts").RateLimits,
 *   callsOfBots: number,
 *   featureLevel: number,
 * }} Contract
 * @typedef {import("typebox").TSchema & Record<string, any>} Schema
 */

const MAX_COLUMNS = 108;
const NOTE = "This page is made from the contract by `node tools/generate-api-docs.js`.";

/** Texts by file in docs/api/. @param {Contract} contract @param {Map<string, Table[]>} tables */
export function contractPages(contract, tables) {
  /** @type {[string, string[]][]} */
  const pages = [
    ["README.md", indexPage(contract)],
    ["errors.md", errorsPage(contract)],
    ...contract.endpoints.map((endpoint) => {
      /** @type {[string, string[]]} */
      const page = [fileOf(endpoint), endpointPage(endpoint, contract, tables.get(endpoint.name) ?? [])];
      return page;
    }),
    ...contract.events.map((event) => {
      /** @type {[string, string[]]} */
      const page = [eventFileOf(event), eventPage(event, contract)];
      return page;
    }),
  ];
  const files = new Map(pages.map(([file, parts]) => [file, `${parts.join("\n\n")}\n`]));
  if (files.size < pages.length) throw new Error("Two pages of docs/api/ have the same name.");
  return files;
}

/** @param {Contract} contract */
function indexPage({ endpoints, events, subjectDescriptions, rateLimits, callsOfBots, featureLevel }) {
  const subjects = [...new Set(endpoints.map(({ subject }) => subject))];
  const types = [...new Set(events.map(({ type }) => type))].sort();
  return [
    "# The API, call by call",
    prose(
      `${NOTE} A running server has the same at \`/api\`, with a form to try calls. The rules that hold for all calls are [on a page of their own](../spec.md). [Your first bot](../guides/first-bot.md) shows how to begin.`,
    ),
    "## All calls",
    prose(
      `Calls go to \`/api/v1\` and need HTTP Basic authentication, as a rule. The user name is an email address, the password is the API key. Parameters are in the query of a GET. In other calls they are in a form or in a JSON object. In a query and in a form, a list or an object is written as JSON.`,
    ),
    prose(
      `A reply has \`result\` \`"success"\` or \`"error"\`, and \`msg\`. Tell [errors](errors.md) apart by \`code\` and status, never by \`msg\`, which may change. Parameters that a call does not know are ignored, and \`ignored_parameters_unsupported\` lists them. The feature level is ${featureLevel}.`,
    ),
    "## Limits",
    prose(
      `A person or bot may make ${rateLimits.perUser} calls in ${rateLimits.windowSeconds} seconds, and all bots of a person together ${callsOfBots}. An address without an account may make ${rateLimits.perAddress}. Every reply has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. Past the limit the status is 429. Wait as many seconds as \`Retry-After\` says. A body may have 1 MiB. [Running Parley](../running.md#limits) has the limits by the hour.`,
    ),
    "## Samples",
    prose(
      `The samples use \`https://chat.example.com\`, \`you@example.com\` and \`API_KEY\`. Put your own values there, and ids of your own organization. \`client\` is that of [the client's package](../../client/README.md) in JavaScript, and a \`zulip.Client\` in Python. A test makes the call of each sample.`,
    ),
    ...subjects.flatMap((subject) => [
      `## ${subject}`,
      ...(subjectDescriptions[subject] ? [prose(subjectDescriptions[subject])] : []),
      endpoints
        .filter((endpoint) => endpoint.subject === subject)
        .map((endpoint) => wrap(`- [${endpoint.summary}](${fileOf(endpoint)}): ${addressOf(endpoint)}`, "  "))
        .join("\n"),
    ]),
    "## Events",
    prose("A queue made by [`POST /register`](register-queue.md) receives them."),
    types
      .map((type) => {
        const shapes = events.filter((event) => event.type === type);
        const links = shapes.map((event) => `[${shapeOf(event) || "event"}](${eventFileOf(event)})`);
        return wrap(`- \`${type}\`: ${links.join(", ")}`, "  ");
      })
      .join("\n"),
  ];
}

/** @param {Endpoint} endpoint @param {Contract} contract @param {Table[]} tables */
function endpointPage(endpoint, contract, tables) {
  const { subject, summary, description, access, developmentOnly } = endpoint;
  const { accessDescriptions } = contract;
  return [
    `# ${summary}`,
    wrap(`${addressOf(endpoint)} · \`${endpoint.name}\` · [${subject}](README.md#${anchorOf(subject)})`),
    prose(description),
    ...(developmentOnly ? ["Only development servers have this call."] : []),
    "## Who may call",
    prose(accessDescriptions[access]),
    ...(endpoint.proof ? [prose(contract.describeProof(endpoint.proof))] : []),
    ...permissionParts(tables),
    "## Parameters",
    ...parameterParts(endpoint, contract),
    "## Reply",
    ...replyParts(endpoint, contract),
    "## Events",
    eventLinks(endpoint, contract),
    "## Errors",
    ...errorParts(endpoint, contract),
    "## Limits",
    ...limitParts(endpoint, contract),
    "## Samples",
    ...sampleParts(endpoint, contract),
    NOTE,
  ];
}

/** @param {Table[]} tables */
function permissionParts(tables) {
  if (tables.length === 0) return [];
  const plain = tables.filter(({ columns }) => columns.length === 1);
  const channels = tables.filter(({ columns }) => columns.length > 1);
  return [
    ...(plain.length > 0 ? [rolesTable(plain).trimEnd()] : []),
    ...channels.map((table) => channelTable(table).trimEnd()),
    "[Who may do what](../permissions.md) explains the symbols.",
  ];
}

/** @param {Endpoint} endpoint @param {Contract} contract */
function parameterParts({ parameters, files }, { typeText }) {
  const entries = Object.entries(parameters).filter(([, { ignored }]) => !ignored);
  const ignored = Object.keys(parameters).filter((name) => parameters[name]?.ignored);
  const rows = entries.map(([name, parameter]) => {
    const { aliases, description, inPath, required, schema, encoding } = parameter;
    const notes = [
      description,
      ...(aliases.length > 0 ? [`Also accepted as ${codes(aliases)}.`] : []),
      ...(encoding === "either" ? ["Sent as JSON or as plain text."] : []),
    ];
    const need = inPath ? "in the path" : required ? "required" : "optional";
    return [`\`${name}\``, typeText(schema), need, notes.join(" ")];
  });
  return [
    rows.length > 0 ? table(["name", "type", "", "meaning"], rows) : "None.",
    ...(files ? [filesText(files)] : []),
    ...(ignored.length > 0 ? [prose(`Accepted from older clients, without effect: ${codes(ignored)}.`)] : []),
  ];
}

/** @param {NonNullable<Endpoint["files"]>} files */
function filesText({ description, maxCount, maxBytes }) {
  const count = maxCount === 1 ? "one file" : `at most ${maxCount} files`;
  return prose(
    `The body is \`multipart/form-data\`, with ${count} of at most ${maxBytes / 2 ** 20} MiB. ${description} The field of a file can have any name.`,
  );
}

/** @param {Endpoint} endpoint @param {Contract} contract */
function replyParts({ name, reply, moreFields, example }, contract) {
  const rows = fieldRows(reply, contract);
  const whole = { result: "success", msg: "", ...example.reply };
  return [
    rows.length > 0 ? fieldTable(rows) : "No fields of its own, only `result` and `msg`.",
    ...(moreFields ? [prose(moreFields)] : []),
    ...(name === "registerQueue" ? stateParts(contract) : []),
    fence("json", JSON.stringify(whole, undefined, 2)),
  ];
}

/** The parts of the initial state, without what is inside of them. @param {Contract} contract */
function stateParts({ registerSections, typeText }) {
  const rows = registerSections.flatMap(({ fields }) =>
    Object.entries(fields).map(([name, schema]) => [
      `\`${name}\``,
      typeText(schema),
      /** @type {Schema} */ (schema).description ?? "",
    ]),
  );
  return [
    "### The state",
    prose(
      "These fields are there if the request asks for them. `/api/v1/openapi.json` has all that is inside.",
    ),
    table(["field", "type", "meaning"], rows),
  ];
}

/** @param {import("typebox").TProperties} properties @param {Contract} contract */
function fieldRows(properties, { listFields }) {
  const { required = [] } = /** @type {Schema} */ (Type.Object(properties));
  return listFields(properties, required).map(({ path, type, isOptional, description }) => [
    `\`${path}\``,
    `${type}${isOptional ? ", optional" : ""}`,
    description,
  ]);
}

/** @param {string[][]} rows */
function fieldTable(rows) {
  return table(["field", "type", "meaning"], rows);
}

/** All shapes of the events that a call may cause. @param {Endpoint} endpoint @param {Contract} contract */
function eventLinks({ emits }, { events, eventNameOf }) {
  const caused = events.filter((event) => emits.includes(eventNameOf(event)));
  const types = [...new Set(caused.map(({ type }) => type))];
  if (types.length === 0) return "None.";
  return types
    .map((type) => {
      const shapes = caused.filter((event) => event.type === type);
      const links = shapes.map((event) => `[${shapeOf(event) || "event"}](${eventFileOf(event)})`);
      return wrap(`- \`${type}\`: ${links.join(", ")}`, "  ");
    })
    .join("\n");
}

/** The calls that may cause an event. @param {Event} event @param {Contract} contract */
function callParts(event, { endpoints, eventNameOf }) {
  const calls = endpoints.filter(({ emits }) => emits.includes(eventNameOf(event)));
  if (calls.length === 0) return [];
  const links = calls.map((endpoint) =>
    wrap(`- [${endpoint.summary}](../${fileOf(endpoint)}): ${addressOf(endpoint)}`, "  "),
  );
  return ["## Calls that cause it", links.join("\n")];
}

/** @param {Endpoint} endpoint @param {Contract} contract */
function errorParts(endpoint, contract) {
  const implied = contract.impliedErrors(endpoint).filter((error) => !endpoint.errors.includes(error));
  const shared = [...new Set(implied.flatMap(({ code }) => code ?? []))];
  return [
    ...(endpoint.errors.length > 0 ? [errorTable(endpoint.errors, contract)] : []),
    prose(
      `${endpoint.errors.length > 0 ? "Also those" : "Those"} of [other calls](errors.md): ${codes(shared)}.`,
    ),
  ];
}

/** @param {readonly ErrorDeclaration[]} errors @param {Contract} contract */
function errorTable(errors, { errorExample }) {
  const rows = errors.map((error) => {
    const { result, msg, code, ...fields } = errorExample(error);
    return [
      error.code === undefined ? "" : `\`${error.code}\``,
      String(error.status),
      String(msg),
      Object.keys(fields)
        .map((name) => `\`${name}\``)
        .join(", "),
    ];
  });
  return table(["code", "status", "text", "fields"], rows);
}

/** @param {Contract} contract */
function errorsPage(contract) {
  const { endpoints, errors, impliedErrors } = contract;
  const own = new Set(endpoints.flatMap((endpoint) => endpoint.errors));
  const shared = errors.filter((error) =>
    endpoints.some((endpoint) => impliedErrors(endpoint).includes(error)),
  );
  const others = errors.filter((error) => !shared.includes(error) && !own.has(error));
  const rest = errors.filter((error) => own.has(error) && !shared.includes(error));
  return [
    "# Errors",
    prose(`${NOTE} Texts in angle brackets depend on the request.`),
    "## Errors of many calls",
    prose("They follow from credentials, limits, parameters and the state of the server."),
    errorTable(shared, contract),
    "## Errors of single calls",
    prose("The page of each call names its own."),
    errorTable(rest, contract),
    ...(others.length > 0 ? ["## Other errors", errorTable(others, contract)] : []),
  ];
}

/** @param {Endpoint} endpoint @param {Contract} contract */
function limitParts(endpoint, { rateLimits }) {
  const bounds = Object.entries(endpoint.parameters).flatMap(([name, { schema, ignored }]) => {
    const text = ignored ? "" : boundsOf(schema);
    return text ? [`- \`${name}\`: ${text}`] : [];
  });
  const isQuota = endpoint.errors.some(({ name }) => name === "overQuota");
  const callers =
    endpoint.access === "anyone"
      ? `An address may make ${rateLimits.perAddress} calls without an account`
      : `A person or bot may make ${rateLimits.perUser} calls`;
  return [
    prose(`${callers} in ${rateLimits.windowSeconds} seconds, of all kinds together.`),
    ...(isQuota ? [prose("What this call makes is also [limited by the hour](../running.md#limits).")] : []),
    ...(bounds.length > 0 ? [bounds.join("\n")] : []),
  ];
}

/** What a schema says of lengths and sizes. @param {Schema} schema @returns {string} */
function boundsOf(schema) {
  if (schema.anyOf) {
    const parts = schema.anyOf.map((/** @type {Schema} */ part) => boundsOf(part)).filter(Boolean);
    return [...new Set(parts)].join(", or ");
  }
  const inside = schema.items && !Array.isArray(schema.items) ? boundsOf(schema.items) : "";
  const texts = [
    range(schema.minLength, schema.maxLength, "characters"),
    range(schema.minItems, schema.maxItems, "entries"),
    range(schema.minimum, schema.maximum, ""),
    inside && `each ${inside}`,
  ];
  return texts.filter(Boolean).join(", ");
}

/** @param {number | undefined} min @param {number | undefined} max @param {string} unit */
function range(min, max, unit) {
  const noun = unit && ` ${unit}`;
  const isWhole = (/** @type {number} */ bound) => Math.abs(bound) >= 2 ** 31 - 1;
  const low = min === undefined || isWhole(min) ? undefined : min;
  const high = max === undefined || isWhole(max) ? undefined : max;
  if (low === undefined && high === undefined) return "";
  if (high === undefined) return `at least ${low}${noun}`;
  if (low === undefined || (low === 0 && unit)) return `at most ${high}${noun}`;
  return low === high ? `${low}${noun}` : `${low} to ${high}${noun}`;
}

/** @param {Endpoint} endpoint @param {Contract} contract */
function sampleParts(endpoint, contract) {
  const request = contract.sampleRequest(endpoint, contract.shownIds);
  return [
    "With curl:",
    fence("sh", contract.curlSample(request)),
    "In JavaScript, with `fetch`:",
    fence("js", contract.fetchSample(request)),
    "In JavaScript, with [the typed client](../../client/README.md):",
    fence("js", contract.clientSample(request)),
    "In Python, with `requests`:",
    fence("python", contract.requestsSample(request)),
    "In Python, with the package `zulip`:",
    fence("python", contract.callEndpointSample(request)),
  ];
}

/** @param {Event} event @param {Contract} contract */
function eventPage(event, contract) {
  const { type, op, description, payload, example } = event;
  const rows = fieldRows(payload, contract);
  const whole = { id: 1043, type, ...(op === undefined ? {} : { op }), ...example };
  const shape = shapeOf(event);
  return [
    `# The event \`${type}\`${shape && `, ${shape}`}`,
    prose(`${description} [All events](../README.md#events) are in the index.`),
    ...(rows.length > 0 ? [fieldTable(rows)] : []),
    fence("json", JSON.stringify(whole, undefined, 2)),
    ...callParts(event, contract),
    NOTE,
  ];
}

/** @param {Event} event */
function shapeOf({ op, variant }) {
  return [op && `\`${op}\``, variant].filter(Boolean).join(", ");
}

/** @param {Event} event */
function eventFileOf({ type, op, variant }) {
  return `events/${slug([type, op, variant].filter(Boolean).join(" "))}.md`;
}

/** @param {Endpoint} endpoint */
function fileOf({ name }) {
  return `${slug(name.replace(/([A-Z])/g, " $1"))}.md`;
}

/** @param {Endpoint} endpoint */
function addressOf({ method, path }) {
  return `\`${method} ${path}\``;
}

/** @param {string} text */
function slug(text) {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** @param {string} heading */
function anchorOf(heading) {
  return heading.toLowerCase().replaceAll(" ", "-");
}

/** @param {readonly string[]} names */
function codes(names) {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** @param {string} language @param {string} code */
function fence(language, code) {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

/** @param {string[]} heads @param {string[][]} rows */
function table(heads, rows) {
  const cells = rows.map((row) =>
    row.map((cell) => escaped(cell).replaceAll("|", "\\|").replaceAll("\n", " ")),
  );
  return markdownTable(heads, cells).replaceAll(":-:", "---").trimEnd();
}

/** Paragraphs, in lines that are short enough. @param {string} text */
function prose(text) {
  return text
    .split(/\n+/)
    .map((paragraph) => wrap(escaped(paragraph)))
    .join("\n\n");
}

/** Outside of code, an angle bracket would begin an element. @param {string} text */
function escaped(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;")))
    .join("");
}

/** Code with a space in it stays on one line. @param {string} text */
function wrap(text, indent = "") {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    if (line.trim() !== "" && line.length + 1 + word.length > MAX_COLUMNS) {
      lines.push(line);
      line = `${indent}${word}`;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join("\n");
}
