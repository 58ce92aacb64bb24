import { escapeAttribute, escapeText } from "../escape.ts";
import type { LinkedChannel } from "../lookups.ts";
import type { Session } from "../session.ts";
import { beginsAfter, HAS, type InlineRule } from "./phrase.ts";

/** `#**channel**`, `#**channel>topic**` and `#**channel>topic@message**`. */
export const channelLink: InlineRule = {
  needs: HAS.hash,
  apply(text, session) {
    let out = "";
    let done = 0;
    for (let at = text.indexOf("#**"); at !== -1; at = text.indexOf("#**", at + 1)) {
      if (!beginsAfter(text, at, "'\"(,:<")) continue;
      const end = text.indexOf("*", at + 3);
      if (end === -1) break;
      if (end === at + 3 || text.charCodeAt(end + 1) !== 42) continue;
      const link = renderLink(session.sourceOf(text.slice(at + 3, end)), session);
      if (link === null) continue;
      out +=
        text.slice(done, at) +
        session.storePhrase(link.html, text.slice(at, end + 2), { ...link, depth: 0, isAlone: false });
      done = end + 2;
      at = done - 1;
    }
    return done === 0 ? text : out + text.slice(done);
  },
};

interface RenderedLink {
  html: string;
  href: string;
  text: string;
}

function renderLink(target: string, session: Session): RenderedLink | null {
  const arrow = target.indexOf(">");
  if (arrow > 0) {
    const channel = session.lookups.channelByName(target.slice(0, arrow));
    if (channel !== undefined) return conversationLink(channel, target.slice(arrow + 1), session);
  }
  const channel = session.lookups.channelByName(target);
  if (channel === undefined) return null;
  return anchor("stream", channel, channelPath(channel), `#${escapeText(channel.name)}`);
}

function conversationLink(channel: LinkedChannel, rest: string, session: Session): RenderedLink {
  const message = /^(.*)@(\d{1,15})$/s.exec(rest);
  const topic = message === null ? rest : message[1]!;
  const path = topicPath(channel, topic);
  const title = `#${escapeText(channel.name)} &gt; ${topicTitle(topic, session)}`;
  if (message !== null) {
    const href = `${path}/near/${message[2]}`;
    const html = `<a class="message-link" href="${escapeAttribute(href)}">${title} @ 💬</a>`;
    return { html, href, text: "" };
  }
  const newest = session.lookups.latestMessageId?.(channel.id, topic);
  // COMPAT: an empty topic leaves no second slash before "with", but does before "near".
  const permanent = topic === "" ? path.slice(0, -1) : path;
  return anchor("stream-topic", channel, newest === undefined ? path : `${permanent}/with/${newest}`, title);
}

function topicTitle(topic: string, session: Session): string {
  return topic === ""
    ? `<em>${escapeText(session.lookups.emptyTopicName ?? "general chat")}</em>`
    : escapeText(topic);
}

function anchor(className: string, channel: LinkedChannel, href: string, title: string): RenderedLink {
  const html = `<a class="${className}" data-stream-id="${channel.id}" href="${escapeAttribute(href)}">${title}</a>`;
  return { html, href, text: "" };
}

/** The address of a topic inside the web client: `/#narrow/channel/9-two-words/topic/lunch`. */
export function topicPath(channel: LinkedChannel, topic: string): string {
  return `${channelPath(channel)}/topic/${encodeFragment(topic)}`;
}

/** The address of a channel inside the web client: `/#narrow/channel/9-two-words`. */
function channelPath(channel: LinkedChannel): string {
  return `/#narrow/channel/${channel.id}-${encodeFragment(channel.name.replace(/ /g, "-"))}`;
}

/**
 * A name as clients of this API write it into a fragment: percent-encoded, with dots for the percent signs.
 */
function encodeFragment(name: string): string {
  return encodeURIComponent(name)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/\./g, "%2E")
    .replace(/%/g, ".");
}
