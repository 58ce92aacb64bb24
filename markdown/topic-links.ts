import { bareLinksIn } from "./inline/bare-links.ts";
import { type Linkifier, linkWork } from "./linkifier.ts";
import { safeUrl } from "./url.ts";

export interface TopicLink {
  text: string;
  url: string;
}

/**
 * The links in a topic's name: the organization's patterns first, in their order, then bare addresses.
 * Sorted by place, without overlaps.
 */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[] = []): TopicLink[] {
  const taken: { start: number; end: number; url: string }[] = [];
  const claim = (start: number, end: number, url: string): void => {
    if (!taken.some((other) => start < other.end && other.start < end)) taken.push({ start, end, url });
  };
  const work = linkWork();
  for (const linkifier of linkifiers) {
    let from = 0;
    for (let hit = linkifier.find(topic, from, work); hit; hit = linkifier.find(topic, from, work)) {
      if (hit.end <= from) break;
      const url = safeUrl(hit.url);
      if (url !== null) claim(hit.start, hit.end, url);
      from = hit.end;
    }
  }
  for (const { start, end } of bareLinksIn(topic)) {
    const url = safeUrl(topic.slice(start, end));
    if (url !== null) claim(start, end, url);
  }
  taken.sort((a, b) => a.start - b.start);
  return taken.map(({ start, end, url }) => ({ text: topic.slice(start, end), url }));
}
