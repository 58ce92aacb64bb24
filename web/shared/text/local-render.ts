/**
 * The server's renderer in the browser, for previews and for messages on their way. It is fetched after the
 * first paint. Colours of code and typeset formulas are the server's alone.
 */

import { userSettings } from "../../../api/people/user-settings.ts";
import type { Lookups } from "../../../markdown/lookups.ts";
import type { Renderer } from "../../../markdown/render.ts";
import { state } from "../state/state.ts";

let renderer: Renderer | undefined;

/** Without a network it is asked for again with the next box, or the next preview. */
export async function loadRenderer(): Promise<void> {
  if (renderer) return;
  try {
    const { createRenderer } = await import("../../../markdown/render.ts");
    renderer = createRenderer();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

export interface Mentions {
  userIds: readonly number[];
  hasEveryone: boolean;
  channelIds: readonly number[];
}

/**
 * The people and channels that a text names, as the server will read it; undefined: the renderer is not there
 * yet.
 */
export function mentionsIn(content: string): Mentions | undefined {
  if (!renderer) return undefined;
  const { html, facts } = renderer.render(content, lookups());
  return {
    userIds: facts.mentionedUserIds,
    hasEveryone: facts.mentionsChannelWildcard,
    channelIds: [...html.matchAll(/ data-stream-id="(\d+)"/g)].map(([, id]) => Number(id)),
  };
}

/** Plain paragraphs until the renderer is there. */
export function renderLocally(content: string): string {
  const lines = widgetLines(content);
  if (lines) return outlineOf(lines);
  if (renderer) return renderer.render(content, lookups()).html;
  return `<p>${escaped(content).replace(/\n/g, "<br>\n")}</p>`;
}

/** The name and the entries in the text of a poll or a list of tasks, as the server reads it. */
function widgetLines(content: string): string[] | undefined {
  const command = /^\/(?:poll|todo)(?=\s|$)/.exec(content);
  if (!command) return undefined;
  const [name = "", ...entries] = content.slice(command[0].length).split(/\r\n|\r|\n/);
  return [name, ...entries.map((entry) => entry.trim().replace(/^[-*]?\s*/, ""))].map((line) => line.trim());
}

/** What stands in the place of an interactive message until its event brings that. */
function outlineOf([name = "", ...entries]: readonly string[]): string {
  const items = entries.filter((entry) => entry !== "").map((entry) => `<li>${escaped(entry)}</li>`);
  const list = items.length > 0 ? `<ul>${items.join("")}</ul>` : "";
  return `<p><strong>${escaped(name)}</strong></p>${list}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (one) => ({ "&": "&amp;", "<": "&lt;" })[one] ?? "&gt;");
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
