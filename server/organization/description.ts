import { createServerRenderer } from "../../markdown/node/renderer.ts";

const renderer = createServerRenderer();

/** No name is looked up: mentions and links in a description would not follow later renames. */
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
