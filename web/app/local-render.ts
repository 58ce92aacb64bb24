/**
 * The server's renderer in the browser, for previews and for messages on their way. It is fetched after the
 * first paint. Colours of code and typeset formulas are the server's alone.
 */

import { userSettings } from "../../api/user-settings.ts";
import type { Lookups } from "../../markdown/lookups.ts";
import type { Renderer } from "../../markdown/render.ts";
import { state } from "./state.ts";

let renderer: Renderer | undefined;

export async function loadRenderer(): Promise<void> {
  if (renderer) return;
  const { createRenderer } = await import("../../markdown/render.ts");
  renderer = createRenderer();
}

/** Plain paragraphs until the renderer is there. */
export function renderLocally(content: string): string {
  if (renderer) return renderer.render(content, lookups()).html;
  const escaped = content.replace(/[&<>]/g, (one) => ({ "&": "&amp;", "<": "&lt;" })[one] ?? "&gt;");
  return `<p>${escaped.replace(/\n/g, "<br>\n")}</p>`;
}

/** What names mean, from the model. */
function lookups(): Lookups {
  const { users, channels, groups, customEmoji, settings } = state.model;
  const isCalled = (name: string) => (one: { name: string }) => one.name.toLowerCase() === name.toLowerCase();
  return {
    userByName: (name) =>
      [...users.byId.values()].filter(
        ({ fullName, isActive }) => isActive && fullName.toLowerCase() === name.toLowerCase(),
      ),
    userById: (id) => users.get(id),
    groupByName: (name) => {
      const group = [...groups.byId.values()].find(isCalled(name));
      return group && { id: group.id, name: group.name, isSystem: group.isSystem };
    },
    channelByName: (name) => [...channels.byId.values()].find(isCalled(name)),
    emojiByName: (name) => {
      const found = [...customEmoji.byId.values()].find((one) => one.name === name && !one.isDeactivated);
      return found && { id: found.id, url: found.sourceUrl, stillUrl: found.stillUrl ?? null };
    },
    baseUrl: location.origin,
    emptyTopicName: String(state.model.constants.realm_empty_topic_display_name ?? "general chat"),
    translateEmoticons: settings.get(userSettings.translateEmoticons),
  };
}
