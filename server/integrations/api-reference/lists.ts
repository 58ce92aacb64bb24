import type { TProperties } from "typebox";
import type { Endpoint } from "../../../api/endpoint.ts";
import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { errorExample } from "../../../api/error-example.ts";
import { type EventDeclaration, eventNameOf } from "../../../api/event.ts";
import { type Html, html, type Page } from "../../platform/http/page.ts";
import { listFields } from "./field-list.ts";
import { pageStyle, tableStyle } from "./style.ts";

/** Every event with its fields, by type. */
export function eventsPage(events: readonly EventDeclaration[], endpoints: readonly Endpoint[]): Page {
  const types = [...new Set(events.map(({ type }) => type))].sort();
  const body = html`${navigation}
<h1>Events</h1>
<p>What a queue made by <code>POST /register</code> receives. Every event has an <code>id</code>, which grows from one to the
next, and a <code>type</code>; many have an <code>op</code>. A client ignores types and fields that it does not know.</p>
<p class="index">${types.map((type) => html`<a href="#${type}">${type}</a> `)}</p>
${types.map((type) => {
  const shapes = events.filter((event) => event.type === type);
  return html`<h2 id="${type}">${type}</h2>
${shapes.map((event) => eventSection(event, endpoints))}`;
})}`;
  return { title: "Events · Parley", body, style };
}

function eventSection(event: EventDeclaration, endpoints: readonly Endpoint[]): Html {
  const { type, op, variant, description, payload, example, schema } = event;
  const calls = endpoints.filter(({ emits }) => emits.includes(eventNameOf(event)));
  const title = [op && `op: ${op}`, variant].filter(Boolean).join(" · ");
  const whole = { id: 1043, type, ...(op === undefined ? {} : { op }), ...example };
  const { required = [] } = schema as { required?: string[] };
  return html`${title && html`<h3>${title}</h3>`}
<p>${description}</p>
${fieldTable(payload, required)}
<pre>${JSON.stringify(whole, null, 2)}</pre>
${calls.length > 0 && html`<p>Calls that may cause it: ${calls.map(endpointLink)}</p>`}
`;
}

function fieldTable(payload: TProperties, required: readonly string[]): Html {
  const fields = listFields(payload, required);
  if (fields.length === 0) return html``;
  return html`<table class="fields"><thead><tr><th>Field</th><th>Type</th><th></th></tr></thead><tbody>
${fields.map(
  ({ path, type, isOptional, description }) =>
    html`<tr><td><code>${path}</code></td><td>${type}${isOptional && html` <small>(optional)</small>`}</td><td>${description}</td></tr>
`,
)}</tbody></table>`;
}

/** Every error with the endpoints that name it. */
export function errorsPage(errors: readonly ErrorDeclaration[], endpoints: readonly Endpoint[]): Page {
  const body = html`${navigation}
<h1>Errors</h1>
<p>An error has <code>result</code> “error”, a text in <code>msg</code> for people, and for programs its status and <code>code</code>; some have
fields of their own. The texts may change. An error without endpoints beside it can come from many.</p>
<table class="errors"><thead><tr><th>Code</th><th>Status</th><th>Text and fields</th><th>Endpoints</th></tr></thead><tbody>
${errors.map((error) => errorRow(error, endpoints))}</tbody></table>`;
  return { title: "Errors · Parley", body, style };
}

function errorRow(error: ErrorDeclaration, endpoints: readonly Endpoint[]): Html {
  const { result, msg, code, ...fields } = errorExample(error);
  const users = endpoints.filter((endpoint) => endpoint.errors.includes(error));
  return html`<tr id="${error.name}"><td>${error.code !== undefined && html`<code>${error.code}</code>`}</td><td>${error.status}</td><td>${String(msg)}
${Object.keys(fields).map((name) => html`<br><code>${name}</code>`)}</td><td>${users.map(endpointLink)}</td></tr>
`;
}

/** The anchor that the reference page gives an operation. */
function endpointLink({ subject, name }: Endpoint): Html {
  const tag = subject.replace(/\s/g, "_");
  return html`<a href="/api#/${encodeURIComponent(tag)}/${name}">${name}</a> `;
}

export const navigation = html`<nav><a href="/api">Endpoints</a> <a href="/api/events">Events</a> <a href="/api/errors">Errors</a> <a
href="/api/v1/openapi.json">OpenAPI</a> <a href="/integrations">Integrations</a></nav>`;

const style = pageStyle + tableStyle;
