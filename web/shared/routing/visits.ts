/**
 * Which places the person visits often and lately, for the switcher. This browser keeps that for the account.
 * A visit counts half after a week.
 */
import { createEffect } from "solid-js";
import { hashOfNarrow, parseNarrowHash } from "../../../client/narrow-hash.ts";
import { readStoredJson, writeStored } from "../state/browser-storage.ts";
import { state } from "../state/state.ts";
import { VISITS } from "./forget-visits.ts";
import { linkTo } from "./links.ts";
import { hasFollowed, route } from "./route.ts";
import { isSearch } from "./views.ts";

const MAX_KEPT = 200;
const HALF_LIFE_MS = 7 * 24 * 60 * 60 * 1000;
/** Less than this, as of one visit a month ago, is forgotten. */
const LEAST = 0.05;

/** The address without names, which may change; the weight at that time, in UNIX milliseconds. */
type Visited = [address: string, weight: number, at: number];

/** As long as the owner lives. What was moved takes the person along, which is no visit. */
export function keepVisits(): void {
  createEffect(() => {
    const address = addressOfRoute();
    if (address !== undefined && !hasFollowed()) visit(address, Date.now());
  });
}

/** The weight of each visited place, by its link as others link to it now. */
export function visitsByLink(now: number): Map<string, number> {
  const all = new Map<string, number>();
  for (const [address, weight] of readVisits(now)) {
    const place = parseNarrowHash(address);
    const link = place ? linkTo(place.narrow) : address;
    all.set(link, Math.max(weight, all.get(link) ?? 0));
  }
  return all;
}

function visit(address: string, now: number): void {
  const all = readVisits(now);
  const before = all.find(([one]) => one === address)?.[1] ?? 0;
  const others = all.filter(([one]) => one !== address);
  const sorted = [[address, before + 1, now] as Visited, ...others].sort((a, b) => b[1] - a[1]);
  writeStored(storageKey(), JSON.stringify(sorted.slice(0, MAX_KEPT)));
}

/** With the weights that they have now. Other tabs write them too, so they are read each time. */
function readVisits(now: number): Visited[] {
  const stored = readStoredJson(storageKey());
  if (!Array.isArray(stored)) return [];
  return stored
    .filter(isVisited)
    .map(([address, weight, at]): Visited => {
      return [address, weight * 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS), now];
    })
    .filter(([, weight]) => weight >= LEAST);
}

function isVisited(one: unknown): one is Visited {
  if (!Array.isArray(one)) return false;
  const [address, weight, at] = one as unknown[];
  return typeof address === "string" && Number.isFinite(weight) && Number.isFinite(at);
}

const storageKey = () => VISITS + state.model.viewer.id;

/** undefined: no place that the switcher has. What was searched for is nobody's place. */
function addressOfRoute(): string | undefined {
  const current = route();
  if (current.view === "messages") {
    return isSearch(current.narrow) ? undefined : hashOfNarrow({ narrow: current.narrow });
  }
  return current.view === "home" || current.view === "user" ? undefined : `#${current.view}`;
}
