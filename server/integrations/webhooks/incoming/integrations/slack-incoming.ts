import { type Static, Type } from "typebox";
import { event, integration, maybe } from "../integration.ts";
import { link, paragraphs } from "../outside-text.ts";
import { slackText } from "../slack-text.ts";
import { textAt, valueAt } from "../value-at.ts";

const MAX_PARTS = 20;

const attachment = Type.Object({
  pretext: maybe(Type.String()),
  author_name: maybe(Type.String()),
  title: maybe(Type.String()),
  title_link: maybe(Type.String()),
  text: maybe(Type.String()),
  fallback: maybe(Type.String()),
  fields: maybe(
    Type.Array(
      Type.Object({ title: maybe(Type.String()), value: maybe(Type.Union([Type.String(), Type.Number()])) }),
    ),
  ),
});

export const slackIncoming = integration({
  name: "slack_incoming",
  title: "Slack-compatible",
  setup: [
    "In a program that can post to Slack, put this address in place of the one that Slack gives:",
    "If the program names a channel, its name becomes the topic, unless the address has one.",
  ],
  events: {
    message: event({
      description: "A message in Slack's format, with text, blocks or attachments.",
      payload: Type.Object({
        text: maybe(Type.String()),
        channel: maybe(Type.String()),
        blocks: maybe(Type.Array(Type.Unknown())),
        attachments: maybe(Type.Array(attachment)),
      }),
      topic: ({ channel }) => (channel ?? "").replace(/^[#@]/, ""),
      message({ text, blocks, attachments }) {
        const shown = (blocks ?? []).slice(0, MAX_PARTS).map(blockText);
        const parts = (attachments ?? []).slice(0, MAX_PARTS).map(attachmentText);
        // Programs that send blocks send the text too, for places that can't show blocks.
        return paragraphs(paragraphs(...shown) || slackText(text ?? ""), ...parts);
      },
    }),
  },
  eventOf: () => "message",
  reply: { ok: true },
});

function attachmentText(one: Static<typeof attachment>): string {
  const fields = (one.fields ?? [])
    .slice(0, MAX_PARTS)
    .map(
      ({ title, value }) =>
        `- ${slackText(title ?? "")}: ${slackText(String(value ?? "")).replace(/\n/g, " ")}`,
    );
  const whole = paragraphs(
    slackText(one.pretext ?? ""),
    slackText(one.author_name ?? ""),
    one.title ? link(one.title, one.title_link) : "",
    slackText(one.text ?? ""),
    fields.join("\n"),
  );
  return whole === "" ? slackText(one.fallback ?? "") : whole;
}

function blockText(block: unknown): string {
  switch (valueAt(block, "type")) {
    case "header":
    case "section":
      return paragraphs(slackText(textAt(block, "text.text")), ...textsOf(valueAt(block, "fields")));
    case "context":
      return textsOf(valueAt(block, "elements")).join(" ");
    case "image":
      return link(textAt(block, "alt_text"), textAt(block, "image_url"));
    case "divider":
      return "---";
    default:
      return "";
  }
}

function textsOf(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_PARTS).map((part: unknown) => slackText(textAt(part, "text")));
}
