import { describe, expect, test } from "vitest";
import { castLookups } from "../../../markdown/cases/cast.ts";
import { createRenderer } from "../../../markdown/render.ts";
import type { Channel } from "../../channels/channel.ts";
import { channelLink, code, quote, topicLink } from "./markdown-text.ts";

const html = (text: string) => createRenderer().render(text, castLookups()).html;
const facts = (text: string) => createRenderer().render(text, castLookups()).facts;
const channel = (name: string) => ({ name }) as Channel;

describe("a name that people chose", () => {
  test.each(["lunch", "a > b", "50 % off"])("is linked: %s", (topic) => {
    expect(html(topicLink(channel("general"), topic))).toContain("<a ");
  });

  test.each([
    "a** @**all** @**Ada Osei** b",
    "`a` @**all**",
    "** @*support* **",
    "[a](http://x)",
    "<b>",
    "$$x$$ @**topic**",
  ])("mentions nobody and formats nothing: %s", (name) => {
    for (const text of [topicLink(channel("general"), name), channelLink(channel(name)), code(name)]) {
      expect(facts(text)).toMatchObject({
        mentionedUserIds: [],
        mentionedGroupIds: [],
        mentionsChannelWildcard: false,
        mentionsTopicWildcard: false,
        hasLink: false,
      });
      expect(html(text)).toContain("<code>");
    }
  });
});

test.each([
  "~~~\nabc",
  "```py\nabc",
  "```quote\n~~~\nabc",
  "abc\n````\n~~~",
  "```quote\nabc\n```",
  "```x```",
  "```py\n~~~\nabc\n```",
  " ```\nabc",
])("what follows a quotation is outside of it: %j", (text) => {
  expect(html(`${quote(text)}\n\nafter`)).toMatch(/<\/blockquote>\n<p>after<\/p>$/);
});
