import type { Lookups } from "../lookups.ts";
import { OPEN } from "../marker.ts";
import type { Session } from "../session.ts";
import { storeBareLink } from "./links.ts";
import { HAS, type InlineRule } from "./phrase.ts";

/** Time the organization's patterns may take in one message, all of them together. */
const BUDGET_MS = 50;

/** The organization's own patterns, in their order; each sees what those before it left over. */
export const linkify: InlineRule = {
  needs: HAS.linkifiers,
  apply(text, session) {
    const { linkifiers } = session.lookups;
    if (linkifiers === undefined || linkifiers.length === 0) return text;
    let current = text;
    for (const linkifier of linkifiers) {
      const began = performance.now();
      if (session.linkifierTimeMs > BUDGET_MS) return current;
      let out = "";
      let done = 0;
      for (let hit = linkifier.find(current, 0); hit !== null; hit = linkifier.find(current, done)) {
        if (hit.end <= done && done > 0) break;
        out += current.slice(done, hit.start) + storeHit(current.slice(hit.start, hit.end), hit.url, session);
        done = hit.end;
        if (session.linkifierTimeMs + performance.now() - began > BUDGET_MS) break;
      }
      if (done > 0) current = out + current.slice(done);
      session.linkifierTimeMs += performance.now() - began;
    }
    return current;
  },
};

/** Whether any of the organization's patterns has a place in a text without any syntax. */
export function findsLink(text: string, { linkifiers }: Lookups): boolean {
  if (linkifiers === undefined || linkifiers.length === 0) return false;
  const began = performance.now();
  for (const linkifier of linkifiers) {
    if (linkifier.find(text, 0) !== null) return true;
    // As much as the rule itself would have looked for.
    if (performance.now() - began > BUDGET_MS) return false;
  }
  return false;
}

function storeHit(label: string, url: string, session: Session): string {
  return label.includes(OPEN) ? label : storeBareLink(url, label, session);
}
