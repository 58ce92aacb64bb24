import { type Html, html } from "../../platform/http/page.ts";
import { defaultRateLimits, limitOfBots } from "../../platform/http/rate-limit.ts";

/** The first calls of somebody who is new to the API, for the top of the reference. */
export function quickStart(site: string, isDevelopment: boolean): Html {
  const email = isDevelopment ? "ada@demo.test" : "you@example.com";
  return html`<section class="start" aria-labelledby="quick-start">
<h1>Parley API</h1>
<h2 id="quick-start">Quick start</h2>
<h3>1. Get an API key</h3>
${isDevelopment ? demoKey(site) : key()}
<h3>2. Make a call</h3>
<p>The user name is the email address, the password is the key. Parameters are the fields of a JSON object or of a form;
those of a GET are in the query. In a form and in the query, a list or an object is written as JSON:
<code>event_types=["message"]</code>.</p>
<div class="samples">
<figure><figcaption>curl</figcaption><pre tabindex="0">${curlSample(site, email)}</pre></figure>
<figure><figcaption>Python, with <code>requests</code></figcaption><pre tabindex="0">${pythonSample(site, email)}</pre></figure>
<figure><figcaption>JavaScript</figcaption><pre tabindex="0">${javaScriptSample(site, email)}</pre></figure>
</div>
<h3>3. Receive events</h3>
<p>Register a queue, then poll it. A poll waits until there are events, and answers with a heartbeat if there are none
for a while. Repeat it with the id of the last event that you have. When the queue has ended
(<code>BAD_EVENT_QUEUE_ID</code>), register again. These go on where the samples above end.</p>
<div class="samples">
<figure><figcaption>Python</figcaption><pre tabindex="0">${pythonLoop('print(event["message"]["content"])')}</pre></figure>
<figure><figcaption>JavaScript</figcaption><pre tabindex="0">${javaScriptLoop("console.log(event.message.content);")}</pre></figure>
</div>
<p><a href="/api/events">All events</a></p>
<h3>4. Know the limits</h3>
<p>A person or bot may make ${defaultRateLimits.perUser} calls in a minute, all bots of a person together
${limitOfBots(defaultRateLimits)}, and an address without an account
${defaultRateLimits.perAddress}. Every response has <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and
<code>X-RateLimit-Reset</code>. Past the limit the status is 429. Wait as many seconds as <code>Retry-After</code> says. A
body may have 1 MiB.</p>
<p>A response has <code>result</code> <code>"success"</code> or <code>"error"</code>. Tell errors apart by
<code>code</code> and status, never by <code>msg</code>, which may change: <a href="/api/errors">all errors</a>. Parameters that an endpoint does not know are
ignored, and <code>ignored_parameters_unsupported</code> lists them.</p>
</section>`;
}

function key(): Html {
  return html`<p>On the server, in Parley's folder:</p>
<pre tabindex="0">npx parley api-key EMAIL
npx parley bot create SHORT_NAME FULL_NAME --owner EMAIL</pre>
<p>The first prints the key of a person or bot, the second makes a bot with a key of its own. Both write a
<code>zuliprc</code> file with <code>--zuliprc FILE</code>. Elsewhere, <code>POST /fetch_api_key</code> gives your key for your
password.</p>`;
}

/** The demo's data is in a directory that other commands do not know. */
function demoKey(site: string): Html {
  return html`<p>This is a development server, which gives the key of any account:</p>
<pre tabindex="0">curl ${site}/api/v1/dev_fetch_api_key -d username=ada@demo.test</pre>
<p>On another server, <code>npx parley api-key EMAIL</code> prints the key of a person or bot, and
<code>npx parley bot create</code> makes a bot. <code>POST /fetch_api_key</code> gives your key for your password.</p>`;
}

function curlSample(site: string, email: string): string {
  return `curl ${site}/api/v1/messages \\
  -u ${email}:API_KEY \\
  -d type=channel \\
  -d to=general \\
  -d topic=hello \\
  --data-urlencode content="Hello from curl!"`;
}

/** What the Python code below it needs. */
export function pythonSession(site: string, email: string): string {
  return `import requests

API = "${site}/api/v1"
session = requests.Session()
session.auth = ("${email}", "API_KEY")`;
}

function pythonSample(site: string, email: string): string {
  return `${pythonSession(site, email)}

answer = session.post(f"{API}/messages", json={
    "type": "channel",
    "to": "general",
    "topic": "hello",
    "content": "Hello from Python!",
})
print(answer.json())`;
}

/** What the JavaScript code below it needs. */
export function javaScriptCall(site: string, email: string): string {
  return `const API = "${site}/api/v1";
const Authorization =
  "Basic " + btoa("${email}:API_KEY");

async function call(method, path, body) {
  const response = await fetch(API + path, {
    method,
    headers: {
      Authorization,
      "Content-Type": "application/json",
    },
    body: body && JSON.stringify(body),
  });
  return response.json();
}`;
}

function javaScriptSample(site: string, email: string): string {
  return `${javaScriptCall(site, email)}

console.log(await call("POST", "/messages", {
  type: "channel",
  to: "general",
  topic: "hello",
  content: "Hello from JavaScript!",
}));`;
}

/** Follows messages. `handle` is the statement that gets each. */
export function pythonLoop(handle: string): string {
  return `import time

queue = None
while True:
    if queue is None:
        queue = session.post(f"{API}/register", json={
            "event_types": ["message"],
        }).json()
        last = queue["last_event_id"]
    answer = session.get(f"{API}/events", params={
        "queue_id": queue["queue_id"],
        "last_event_id": last,
    }, timeout=120)
    body = answer.json()
    if body["result"] == "success":
        for event in body["events"]:
            last = max(last, event["id"])
            if event["type"] == "message":
                ${handle}
    elif body.get("code") == "BAD_EVENT_QUEUE_ID":
        queue = None
    else:
        time.sleep(int(answer.headers.get("Retry-After", 5)))`;
}

/** Follows messages. `handle` is the statement that gets each. */
export function javaScriptLoop(handle: string): string {
  return `let queue;
let last;
for (;;) {
  if (!queue) {
    queue = await call("POST", "/register", {
      event_types: ["message"],
    });
    last = queue.last_event_id;
  }
  const poll = new URLSearchParams({
    queue_id: queue.queue_id,
    last_event_id: last,
  });
  const answer = await call("GET", \`/events?\${poll}\`);
  for (const event of answer.events ?? []) {
    last = Math.max(last, event.id);
    if (event.type === "message") {
      ${handle}
    }
  }
  if (answer.code === "BAD_EVENT_QUEUE_ID") {
    queue = undefined;
  } else if (answer.result === "error") {
    await new Promise((done) => setTimeout(done, 5000));
  }
}`;
}
