/** The server's renderer, with what names mean in this organization. No part of the first screen. */

import { userSettings } from "../../../api/people/user-settings.ts";
import type { Lookups } from "../../../markdown/lookups.ts";
import { createRenderer, type RenderedMessage } from "../../../markdown/render.ts";
import { state } from "../state/state.ts";

const renderer = createRenderer();

export function render(content: string): RenderedMessage {
  return renderer.render(content, lookups());
}

/** What names mean, from the model. */
function lookups(): Lookups {
  const { users, channels, groups, customEmoji, settings } = state.model;
  const isCalled = (name: string) => (named: { name: string }) =>
    named.name.toLowerCase() === name.toLowerCase();
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
      const found = [...customEmoji.byId.values()].find(
        (emoji) => emoji.name === name && !emoji.isDeactivated,
      );
      return found && { id: found.id, url: found.sourceUrl, stillUrl: found.stillUrl ?? null };
    },
    baseUrl: location.origin,
    emptyTopicName: String(state.model.constants.realm_empty_topic_display_name ?? "general chat"),
    translateEmoticons: settings.get(userSettings.translateEmoticons),
  };
}
