import { Type } from "typebox";
import { event, integration } from "../integration.ts";
import { codeBlock } from "../outside-text.ts";
import { fillTemplate } from "../template.ts";

/** Longer JSON is printed in one line: indented, it could be sixty times as long. */
const MAX_INDENTED = 8000;
const MAX_SHOWN = 8000;

export const json = integration({
  name: "json",
  title: "JSON",
  setup: [
    "Let the program send a POST with JSON, or with a form, to this address:",
    "Add `topic` to the address. By default the topic is “JSON”.",
    "Add `template` for a message of your own, such as `**{{title}}** by {{user.name}}`, encoded as a part of an address. Elements of lists have numbers: `{{commits.0.message}}`. A missing field is empty. Without a template the message is the JSON itself.",
  ],
  events: {
    message: event({
      description: "Any JSON.",
      payload: Type.Unknown(),
      message: (payload, { template }) =>
        template === undefined ? printed(payload) : fillTemplate(template, payload),
    }),
  },
  eventOf: () => "message",
});

function printed(payload: unknown): string {
  const line = JSON.stringify(payload);
  return codeBlock(line.length > MAX_INDENTED ? line : JSON.stringify(payload, null, 2), "json", MAX_SHOWN);
}
