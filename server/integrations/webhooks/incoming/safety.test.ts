/**
 * Whatever texts come from outside, the messages mention nobody, link to web pages alone, keep what they
 * quote apart and stay within the limits. Each text of each sample is replaced by hostile ones.
 */
import { describe, expect, test } from "vitest";
import { isResolvedTopic } from "../../../../api/channels/topic-name.ts";
import { unprintableAt } from "../../../../api/fields.ts";
import { findHidden } from "../../../../api/hidden-characters.ts";
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from "../../../../api/limits.ts";
import { castLookups } from "../../../../markdown/cases/cast.ts";
import { createServerRenderer } from "../../../../markdown/node/renderer.ts";
import { readSamples } from "../../../../test/harness/webhook-samples.ts";
import { findIntegration } from "./integrations.ts";
import { bold, codeBlock, inline, link, prose, quoted, topicText } from "./outside-text.ts";
import { finalContent } from "./receive.ts";
import { slackText } from "./slack-text.ts";
import { fillTemplate } from "./template.ts";

const BREAKOUT = "# BREAKOUT";

const hostile: Readonly<Record<string, string>> = {
  "a mention of everyone": "@**all** @**everyone** @**channel** @**topic** @_**all** @*role:everyone*",
  "mentions after other characters": "(@**all**) '@**all** [@**all**](https://a.example) >@**all** /@**all**",
  "a mention of a person": "@**Ada Osei** @**Ada Osei|101** @**|101** @*backend*",
  "a mention in parts": "@<!x>**all** @`x`**all** @\u0002**all** @\u202e**all** @&#42;&#42;all&#42;&#42;",
  "links of other schemes":
    "[a](javascript:alert(1)) [b](mailto:x@y.example) [c](tel:1) [d](file:///etc) [e]( sms:1) [f](<ftp://x>) ![g](data:x)",
  "addresses of other schemes": "x@y.example bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa javascript:alert(1)",
  "a link that ends early": "](javascript:x) [a](https://x.example](mailto:x@y.example)",
  "fences of backticks": `a\n\`\`\`\n${BREAKOUT}\n\`\`\`\n\`\`\`\`\`quote\n${BREAKOUT}\n\`\`\`\`\n${BREAKOUT}`,
  "fences of tildes": `~~~\n${BREAKOUT}\n~~~~~~~~\n${BREAKOUT}\n~~~spoiler x\n${BREAKOUT}`,
  "a fence in one line": "```",
  "an open code span": "`` ` ``` a",
  "a heading and a list": `${BREAKOUT}\n\n- a\n\n1. b\n\n> c\n\n---\n| a |\n|---|\n| b |`,
  commands: "/poll Soup?\nyes\nno",
  "a me message": "/me ate",
  "characters that can't be shown": "a\u0000b\u0007c\u001b[31m\ud800d\u2028e\u202ef\u2066g\uffff",
  "a resolved topic": "✔ ✔ done",
  much: "x ".repeat(20_000),
  "many lines": "x\n".repeat(5_000),
  "one long word": "y".repeat(50_000),
  "many brackets": "[](".repeat(5_000),
  "many stars": "*".repeat(20_000),
  "many backticks": `a ${"`".repeat(20_000)} b`,
  "many tildes in lines": `${"~".repeat(500)}\n`.repeat(50),
  "fences in fences": Array.from({ length: 20 }, (_, depth) => `${"`".repeat(30 - depth)}quote`).join("\n"),
};

const renderer = createServerRenderer();
/** Everybody whom the texts name exists. */
const lookups = castLookups({
  userByName: () => [{ id: 101, fullName: "Ada Osei", isActive: true }],
  userById: () => ({ id: 101, fullName: "Ada Osei", isActive: true }),
  inlinePreviews: false,
  groupByName: (name) => ({ id: 9, name, isSystem: false }),
});

function problemsOf(content: string): string[] {
  const { html, facts } = renderer.render(content, lookups);
  const outsideOfQuotes = html
    .replace(/<blockquote>[\s\S]*<\/blockquote>/g, "")
    .replace(/<(pre|code)>[\s\S]*?<\/\1>/g, "");
  const schemes = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = ""]) => address);
  return [
    ...(facts.mentionedUserIds.length > 0 || facts.mentionedGroupIds.length > 0 ? ["mentions somebody"] : []),
    ...(facts.mentionsChannelWildcard || facts.mentionsTopicWildcard ? ["mentions everyone"] : []),
    ...(/class="[^"]*mention/.test(html) ? ["shows a mention"] : []),
    ...schemes.filter((address) => !/^https?:\/\//.test(address)).map((address) => `links to ${address}`),
    ...(/<h1>/.test(outsideOfQuotes) ? ["lets a text out of its quotation"] : []),
    ...(facts.isMeMessage || /^\/(poll|todo)\b/.test(content) ? ["is a command"] : []),
    ...(/(?![\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]|\p{Cs}/u.test(content)
      ? ["has unusable characters"]
      : []),
    ...([...content].length > MAX_MESSAGE_LENGTH ? [`has ${content.length} characters`] : []),
  ];
}

function withTexts(
  value: unknown,
  text: string,
  isFree: (old: string, name: string) => boolean,
  name = "",
): unknown {
  if (typeof value === "string") return isFree(value, name) ? text : value;
  if (Array.isArray(value)) return value.map((item: unknown) => withTexts(item, text, isFree, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withTexts(item, text, isFree, key)]),
  );
}

/** Fields whose values choose the event or its kind. */
const KINDS = new Set(["action", "object_kind", "status", "webhookEvent", "type", "phase", "alertType"]);

describe.each(readSamples().map((sample) => [`${sample.integration}/${sample.file}`, sample] as const))(
  "%s",
  (_, { integration: name, delivery, query = {} }) => {
    const integration = findIntegration(name);
    const event = integration?.events[integration.eventOf(delivery)];

    test("as it is breaks nothing", () => {
      const message = event?.read(delivery.payload, query);
      if (message && message !== "unreadable") expect(problemsOf(finalContent(message.content))).toEqual([]);
    });

    test("with hostile texts breaks nothing", () => {
      const problems: string[] = [];
      for (const [title, whole] of Object.entries(hostile)) {
        // A message for Slack is no quotation.
        const text = name === "slack_incoming" ? whole.replaceAll(BREAKOUT, "") : whole;
        for (const onlyUrls of [false, true]) {
          const isUrl = (old: string) => /^https?:/.test(old);
          const payload = withTexts(
            delivery.payload,
            text,
            (old, key) => !KINDS.has(key) && isUrl(old) === onlyUrls,
          );
          const message = event?.read(payload, query);
          if (!message || message === "unreadable") continue;
          const found = problemsOf(finalContent(message.content));
          const topic = topicText(message.topic ?? "");
          if (
            [...topic].length > MAX_TOPIC_LENGTH ||
            unprintableAt(topic, findHidden) !== undefined ||
            isResolvedTopic(topic)
          )
            found.push(`has the topic ${topic}`);
          problems.push(...found.map((problem) => `${title}: ${problem}`));
        }
      }
      expect(problems).toEqual([]);
    });
  },
);

describe.each(Object.entries(hostile))("%s", (_, text) => {
  test.each([
    ["in a line", inline(text)],
    ["in bold", `x ${bold(text)} y`],
    ["as a label", `${link(text, "https://a.example/b")} end`],
    ["as an address", link("label", text)],
    ["at the end of a web address", link("label", `https://a.example/${text}`)],
    ["quoted", quoted(text)],
    ["as code", codeBlock(text)],
    ["as prose", prose(text).replaceAll(BREAKOUT, "")],
    ["from Slack", slackText(text).replaceAll(BREAKOUT, "")],
    [
      "in a template",
      fillTemplate("{{a}}\nb {{a}} c\n[x]({{a}}) [{{a}}]({{a}}) @**{{a}}** [y](<{{a}}>)", { a: text }),
    ],
    ["in each line of a template", fillTemplate(Array(30).fill("{{a}}").join("\n"), { a: text })],
    ["in a template's code", fillTemplate("```\n{{a}}\nb {{a}}\n```\nend", { a: text })],
  ])("%s breaks nothing", (_where, content) => {
    expect(problemsOf(finalContent(content))).toEqual([]);
  });
});

test("the check notices each kind of problem", () => {
  const bad = [
    "@**all**",
    "@_**Ada Osei**",
    "[a](mailto:x@y.example)",
    BREAKOUT,
    "/poll Soup?",
    "/me eats",
    "a\u0007",
    "x".repeat(MAX_MESSAGE_LENGTH + 1),
  ];
  for (const content of bad) expect(problemsOf(content), content).not.toEqual([]);
  expect(problemsOf("**bold** [a](https://a.example) `@**all**`\n\n```quote\n# BREAKOUT\n```")).toEqual([]);
});

test("ordinary texts stay as they are", () => {
  for (const text of [
    "Fix the [JIRA-12] crash in foo_bar (#123)",
    "Bump @types/node from 22.1.0 to 22.2.0",
    "std::vector<int> & friends — 100 %",
    "snake_case and CamelCase, 2 > 1",
  ])
    expect(inline(text)).toBe(text);
  expect(inline("Use **kwargs")).toBe("`Use **kwargs`");
  expect(link("main", "https://a.example/x y(z)?q=[1]")).toBe(
    "[main](https://a.example/x%20y%28z%29?q=%5B1%5D)",
  );
  expect(quoted("Hi\n\n- a\n- b")).toBe("```quote\nHi\n\n- a\n- b\n```");
});
