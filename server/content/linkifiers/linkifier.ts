/**
 * An organization's linkifiers: patterns whose matches in texts and topic names become links. Sending and
 * listing messages read them from memory.
 */

import { setImmediate } from "node:timers/promises";
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
  /** By pattern and address. One that this release of the engine refuses is undefined. */
  #compiledBy = new Map<string, Linkifier | undefined>();
  #compiled: readonly Linkifier[] = [];
  readonly #ofTopics = new Map<string, TopicLink[]>();

  /** In the order in which they are tried. */
  get rows(): readonly LinkifierRow[] {
    return this.#rows;
  }

  get compiled(): readonly Linkifier[] {
    return this.#compiled;
  }

  /**
   * Takes a change of one of them, or another order. A pattern takes milliseconds to compile, so those that
   * there were are not compiled again.
   */
  change(rows: readonly LinkifierRow[]): void {
    const before = this.#compiledBy;
    this.#put(rows, (row, key) => (before.has(key) ? before.get(key) : compile(row)));
  }

  /** The same for all of them, with other work between one and the next. */
  async compileAll(rows: readonly LinkifierRow[]): Promise<void> {
    const compiled = new Map<string, Linkifier | undefined>();
    for (const row of rows) {
      compiled.set(keyOf(row), compile(row));
      await setImmediate();
    }
    this.#put(rows, (_, key) => compiled.get(key));
  }

  #put(
    rows: readonly LinkifierRow[],
    compiledOf: (row: LinkifierRow, key: string) => Linkifier | undefined,
  ): void {
    this.#rows = rows;
    this.#compiledBy = new Map(rows.map((row) => [keyOf(row), compiledOf(row, keyOf(row))]));
    this.#compiled = rows
      .map((row) => this.#compiledBy.get(keyOf(row)))
      .filter((linkifier) => linkifier !== undefined);
    this.#ofTopics.clear();
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
    await value.compileAll(await listLinkifiers(tx, organizationId));
    return value;
  },
  apply(value, patch) {
    value.change(patch);
  },
};

/** The links that a topic's name makes (spec Message `topic_links`). */
export function topicLinksOf(state: OrganizationState, topic: string): TopicLink[] {
  return state.get(linkifiers).linksIn(topic);
}

function keyOf({ pattern, urlTemplate }: LinkifierRow): string {
  return JSON.stringify([pattern, urlTemplate]);
}

/** Rows are checked before they are written. One that this release of the engine refuses makes no links. */
function compile({ pattern, urlTemplate }: LinkifierRow): Linkifier | undefined {
  try {
    return compileLinkifier(pattern, urlTemplate);
  } catch (error) {
    if (error instanceof LinkifierError) return undefined;
    throw error;
  }
}
