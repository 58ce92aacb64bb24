import { renderIfReady } from "./local-render.ts";

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
  const rendered = renderIfReady(content);
  if (!rendered) return undefined;
  const { html, facts } = rendered;
  return {
    userIds: facts.mentionedUserIds,
    hasEveryone: facts.mentionsChannelWildcard,
    channelIds: [...html.matchAll(/ data-stream-id="(\d+)"/g)].map(([, id]) => Number(id)),
  };
}
