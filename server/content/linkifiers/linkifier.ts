/**
 * An organization's linkifiers: patterns whose matches in texts and topic names become links. Sending and
 * listing messages read them from memory.
 */

import type { Linkifier } from "../../../markdown/linkifier.ts";
import { compileLinkifier, LinkifierError } from "../../../markdown/node/linkifier-re2.ts";
import { type TopicLink, topicLinks } from "../../../markdown/topic-links.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { type LinkifierRow, listLinkifiers } from "./store.ts";

/** Most topics whose links are cached; the cache is cleared when it is full. */
const MAX_KEPT = 20_000;

class Linkifiers {
  #rows: readonly LinkifierRow[] = [];
  #compiled: readonly Linkifier[] | undefined = [];
  readonly #ofTopics = new Map<string, TopicLink[]>();

  /** In the order in which they are tried. */
  get rows(): readonly LinkifierRow[] {
    return this.#rows;
  }

  set rows(rows: readonly LinkifierRow[]) {
    this.#rows = rows;
    this.#compiled = undefined;
    this.#ofTopics.clear();
  }

  /** Compiled at the first use. */
  get compiled(): readonly Linkifier[] {
    this.#compiled ??= this.#rows.flatMap(compile);
    return this.#compiled;
  }

  linksIn(topic: string): TopicLink[] {
    const known = this.#ofTopics.get(topic);
    if (known) return known;
    if (this.#ofTopics.size >= MAX_KEPT) this.#ofTopics.clear();
    const links = topicLinks(topic, this.compiled);
    this.#ofTopics.set(topic, links);
    return links;
  }
}

/** Patch: all of them, in their order. */
export const linkifiers: Projection<Linkifiers, readonly LinkifierRow[]> = {
  name: "linkifiers",
  async load(tx, organizationId) {
    const value = new Linkifiers();
    value.rows = await listLinkifiers(tx, organizationId);
    return value;
  },
  apply(value, patch) {
    value.rows = patch;
  },
};

/** The links that a topic's name makes (spec Message `topic_links`). */
export function topicLinksOf(state: OrganizationState, topic: string): TopicLink[] {
  return state.get(linkifiers).linksIn(topic);
}

/** Rows are checked before they are written. One that this release of the engine refuses makes no links. */
function compile({ pattern, urlTemplate }: LinkifierRow): Linkifier[] {
  try {
    return [compileLinkifier(pattern, urlTemplate)];
  } catch (error) {
    if (error instanceof LinkifierError) return [];
    throw error;
  }
}
