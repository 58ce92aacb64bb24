/**
 * Every text that calls take, filled with markup. What the server then sends as HTML, mails and notices has
 * the text as text, and the notices mention nobody.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint, SampleIds } from "../../api/endpoint.ts";
import { endpoints } from "../../api/index.ts";
import { notificationBotOf } from "../../server/people/notification-bot.ts";
import { mailsOf } from "../harness/accounts.ts";
import { expectSuccess } from "../harness/answers.ts";
import { createHarness, type Harness, HOST } from "../harness/harness.ts";
import { authorizationOf } from "../harness/uploads.ts";
import { call } from "./sample-call.ts";
import { samples } from "./samples.ts";
import { thingsOf } from "./things-of.ts";

const hostile = [
  "<img src=x onerror=alert(1)>",
  '"><script>alert(1)</script>',
  "soup](javascript:alert(1))",
  "[soup](javascript:alert(1))",
  "**soup** `x",
  "@**all** @*everybody* #**general**",
  "soup\r\nBcc: eve@evil.example\r\n\r\n<b>",
  "soup\u202Egnp.exe\u2066",
  "<b onmouseover=alert(1)>soup",
] as const;

/** Ends of the service, of the account or of what the other calls need. */
const ending =
  /^(deactivate|delete|remove|end|unsubscribe|archive|regenerate|removeIdentity|startSession|dev|register|getEvents)/;

const harm =
  /<script|<img[^>]*\bonerror|<[a-z]+[^>]*\bon(mouseover|error|load)=|(href|src)="\s*(javascript|data):/i;

let harness: Harness;
let things: SampleIds;
let accepted = 0;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  things = await thingsOf(harness, "ada");
  const headers = { host: HOST, authorization: authorizationOf(harness, "ada") };
  const channels = ["kitchen", "garden"];
  for (const name of channels) await harness.channel(name, ["ada", "dev", "elin", "gus"]);
  let count = 0;
  for (const { endpoint, parameters } of samples) {
    if (ending.test(endpoint.name)) continue;
    for (const name of textsOf(endpoint))
      for (const text of hostile) {
        const freshName = `soup ${++count}`;
        const given = { ...parameters({ ...things, freshName }), [name]: withText(endpoint, name, text) };
        const { status } = await call(harness.app, endpoint, given, headers);
        expect(status, `${endpoint.name} ${name} ${text}`).toBeLessThan(500);
        if (status === 200) accepted++;
      }
  }
  await causeNotices();
}, 180_000);
afterAll(() => harness.close());

/** Names of channels, topics, people and the organization, as notices and mails have them. */
async function causeNotices(): Promise<void> {
  const ada = harness.as("ada");
  const stream_id = harness.channelId("garden");
  for (const [index, text] of hostile.entries()) {
    const { body } = await ada.post("/messages", {
      type: "channel",
      to: stream_id,
      topic: text,
      content: text,
    });
    await ada.patch(`/streams/${stream_id}`, { new_name: `${text} ${index}`, description: text });
    await ada.patch(`/streams/${stream_id}`, { topics_policy: "inherit", is_private: index % 2 === 0 });
    if (body.id)
      await ada.patch(`/messages/${body.id}`, { topic: `${text} 2`, propagate_mode: "change_all" });
    await ada.patch(`/users/${harness.user("dev").id}`, { full_name: text });
    await ada.patch("/realm", { name: text, description: text });
    const invitation = { invitee_emails: `fay${index}@elsewhere.test`, stream_ids: [stream_id] };
    await expectSuccess(ada.post("/invites", { ...invitation, welcome_message_custom_text: text }));
  }
}

/** The parameters that are a free text, or a list of them. */
function textsOf({ parameters }: Endpoint): string[] {
  return Object.entries(parameters).flatMap(([name, { inPath, schema }]) => {
    const declared = schema as { type?: string; enum?: unknown; items?: { type?: string } };
    const isText = declared.type === "string" && declared.enum === undefined;
    // A password is shown nowhere.
    if (/password/.test(name)) return [];
    return !inPath && (isText || declared.items?.type === "string") ? [name] : [];
  });
}

function withText({ parameters }: Endpoint, name: string, text: string): unknown {
  const { type } = (parameters[name] as { schema: { type?: string } }).schema;
  return type === "array" ? [text] : text;
}

describe("whatever texts people give,", () => {
  test("many of them are taken", () => {
    expect(accepted).toBeGreaterThan(300);
  });

  test.each(["ada", "elin", "gus"] as const)("%s gets none of it as markup, in no HTML", async (name) => {
    const found: string[] = [];
    const snapshot = await expectSuccess(harness.as(name).post("/register", { apply_markdown: true }));
    const range = { anchor: "newest", num_before: 1000, num_after: 0, apply_markdown: true };
    const { messages } = await expectSuccess(harness.as(name).get("/messages", range));
    for (const [path, text] of texts({ snapshot, messages }))
      if (/rendered|^\.messages.*\.content$/.test(path) && harm.test(text)) found.push(`${path}: ${text}`);
    expect(found).toEqual([]);
  });

  test("notices of the service mention nobody, and have the names as text", async () => {
    const range = { anchor: "newest", num_before: 1000, num_after: 0, apply_markdown: true };
    const { messages } = await expectSuccess(harness.as("elin").get("/messages", range));
    const { id } = notificationBotOf(harness.state);
    const notices = messages.filter((each: { sender_id: number }) => each.sender_id === id);
    expect(notices.length).toBeGreaterThan(5);
    const mentioning = notices.filter(({ flags }: { flags: string[] }) => /mention/.test(flags.join()));
    expect(mentioning.map(({ content }: { content: string }) => content)).toEqual([]);
  });

  test("mails have it in one line of their headers, and as text in their HTML", async () => {
    const mails = await mailsOf(harness);
    expect(mails.length).toBeGreaterThan(5);
    const wrong = mails.filter(
      ({ subject, to, html }) => /[\r\n\u202E\u2066]/.test(subject + to) || harm.test(html),
    );
    expect(wrong.map(({ subject, html }) => [subject, harm.exec(html)?.[0]])).toEqual([]);
  });

  test("pages of the server have it as text", async () => {
    for (const url of ["/login", "/reset", "/join", "/integrations"]) {
      const { body } = await harness.app.inject({ method: "GET", url, headers: { host: HOST } });
      expect(body, url).not.toMatch(/<img src=x|<script>|<b onmouseover/);
    }
  });

  test("no call has an endless list of texts that nobody tries", () => {
    expect(endpoints.flatMap(textsOf).length).toBeGreaterThan(80);
  });
});

/** All texts in a value, with their paths. */
function texts(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => texts(each, `${path}.${key}`));
}
