import { type Html, html, type Page, sendPage } from "../../../platform/http/page.ts";
import { type PageRoute, publicFile } from "../../../platform/http/page-routes.ts";
import type { Integration, Signature } from "./integration.ts";
import { findIntegration, integrations } from "./integrations.ts";

/**
 * The pages of integrations, made from their declarations: which there are, and how to set up each. They need
 * no credentials, so addresses in them have placeholders.
 */
export function integrationPages({ publicUrl }: { publicUrl: string | undefined }): PageRoute[] {
  return [
    publicFile("/integrations", ({ reply }) => sendPage(reply, 200, listPage())),
    publicFile("/integrations/:name", ({ reply, host, params }) => {
      const integration = findIntegration(params.name);
      return integration
        ? sendPage(reply, 200, integrationPage(integration, publicUrl ?? host.baseUrl))
        : sendPage(reply, 404, unknownPage);
    }),
  ];
}

const navigation = html`<nav><a href="/integrations">Integrations</a> <a href="/api">API</a></nav>`;

function listPage(): Page {
  const body = html`${navigation}
<h1>Integrations</h1>
<p>Other programs can post into channels: they call an address of this server, and each event becomes a message of a bot.
A program that is not listed can use <a href="/integrations/json">JSON</a> with a template, or the address as if it were
<a href="/integrations/slack_incoming">Slack's</a>.</p>
<table><thead><tr><th>Program</th><th>Name in the address</th></tr></thead><tbody>
${integrations.map(
  ({ name, title }) =>
    html`<tr><td><a href="/integrations/${name}">${title}</a></td><td><code>${name}</code></td></tr>
`,
)}</tbody></table>`;
  return { title: "Integrations · Parley", body, style };
}

function integrationPage(
  { name, title, setup, events, signature, deliveryHeaders }: Integration,
  site: string,
): Page {
  const [first = "", ...others] = setup;
  const address = `${site}/api/v1/external/${name}?api_key=API_KEY&stream=CHANNEL`;
  const body = html`${navigation}
<h1>${title}</h1>
<ol>
<li>Take a bot that may post in the channel, and its API key.</li>
<li>${withCode(first)}
<pre>${address}${signature && "&secret=SECRET"}</pre>
Put the bot's key in the place of <code>API_KEY</code>, and the channel's name or ID in the place of <code>CHANNEL</code>.
${signature && html`Without a secret, leave <code>&amp;secret=SECRET</code> out.`}</li>
${others.map((step) => html`<li>${withCode(step)}</li>\n`)}</ol>
<h2>The address</h2>
<p>The address is enough to post as the bot, so keep it secret. Values with other characters than letters and digits must be
percent-encoded.</p>
<table><thead><tr><th>Parameter</th><th></th></tr></thead><tbody>
${parameters(name).map(
  ([parameter, text]) => html`<tr><td><code>${parameter}</code></td><td>${withCode(text)}</td></tr>
`,
)}</tbody></table>
<h2>Events</h2>
<table><thead><tr><th>Name</th><th></th></tr></thead><tbody>
${Object.entries(events).map(
  ([event, { description }]) => html`<tr><td><code>${event}</code></td><td>${description}</td></tr>
`,
)}</tbody></table>
<p>Other events are answered with the code <code>UNSUPPORTED_WEBHOOK_EVENT_TYPE</code> and the status 200, and nothing is
posted.</p>
<h2>Signatures</h2>
<p>${signatureText(signature, title)}</p>
${
  deliveryHeaders &&
  html`<h2>Repeated deliveries</h2>
<p>A delivery that is repeated within a day is posted once. ${title} names its deliveries in the header
${deliveryHeaders.map((header, index) => html`${index > 0 && " or "}<code>${header}</code>`)}.</p>`
}`;
  return { title: `${title} · Parley`, body, style };
}

function parameters(name: string): [string, string][] {
  return [
    [
      "api_key",
      "The bot's API key. A program that can send HTTP Basic credentials needs none in the address.",
    ],
    ["stream", "The channel, by its name or ID. Without it, the bot's owner gets direct messages."],
    ["topic", "The topic. By default, it depends on the event."],
    ["only_events", 'Post these events only: names or patterns as a JSON list, such as `["issues.*"]`.'],
    ["exclude_events", "Don't post these events."],
    ["secret", "The secret with which the program signs. With it, unsigned requests are refused."],
    ...(name === "json"
      ? ([["template", "The text of the message, such as `{{user.name}} did it`."]] as [string, string][])
      : []),
  ];
}

function signatureText(signature: Signature | undefined, title: string): Html {
  if (!signature) return html`${title} does not sign what it sends.`;
  const headers = signature.headers.map(
    (header, index) => html`${index > 0 && " or "}<code>${header}</code>`,
  );
  return signature.kind === "token"
    ? html`With a secret, ${title} sends it in the header ${headers}.`
    : html`With a secret, ${title} sends the HMAC-SHA256 of the body in the header ${headers}.`;
}

/** Text between backticks is code. */
function withCode(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

const style = `
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
nav a { margin-right: 0.75rem; }
h2 { margin-top: 2rem; border-bottom: 1px solid #8886; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.875em; overflow-wrap: anywhere; }
pre { padding: 0.75rem; white-space: pre-wrap; border: 1px solid #8886; border-radius: 0.375rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
`;

const unknownPage: Page = {
  title: "No such integration · Parley",
  style,
  body: html`${navigation}
<h1>There is no integration with this name</h1>
<p>See the <a href="/integrations">list of integrations</a>.</p>`,
};
