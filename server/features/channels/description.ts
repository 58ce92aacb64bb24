import { createServerRenderer } from "../../../markdown/node/renderer.ts";

const renderer = createServerRenderer();

/** What a description links to or mentions would not follow later changes, so it knows of nobody and nothing. */
const lookups = {
  userByName: () => [],
  userById: () => undefined,
  groupByName: () => undefined,
  channelByName: () => undefined,
  inlinePreviews: false,
  baseUrl: "",
};

/** The description of a channel or folder as HTML. */
export function renderDescription(text: string): string {
  return text === "" ? "" : renderer.render(text, lookups).html;
}
