import { linkWork } from "../linkifier.ts";
import type { Lookups } from "../lookups.ts";
import { OPEN } from "../marker.ts";
import type { Session } from "../session.ts";
import { storeBareLink } from "./links.ts";
import { HAS, type InlineRule } from "./phrase.ts";

/** The organization's linkifiers, in order; each sees the text that earlier ones left over. */
export const linkify: InlineRule = {
  needs: HAS.linkifiers,
  apply(text, session) {
    const { linkifiers } = session.lookups;
    if (linkifiers === undefined || linkifiers.length === 0) return text;
    const work = session.linkWork;
    let current = text;
    for (const linkifier of linkifiers) {
      let out = "";
      let done = 0;
      for (let hit = linkifier.find(current, 0, work); hit; hit = linkifier.find(current, done, work)) {
        if (hit.end <= done && done > 0) break;
        out += current.slice(done, hit.start) + storeHit(current.slice(hit.start, hit.end), hit.url, session);
        done = hit.end;
      }
      if (done > 0) current = out + current.slice(done);
    }
    return current;
  },
};

/** Whether any of the organization's patterns matches in a text without any syntax. */
export function findsLink(text: string, { linkifiers }: Lookups): boolean {
  if (linkifiers === undefined || linkifiers.length === 0) return false;
  // The same budget as the rule itself has.
  const work = linkWork();
  return linkifiers.some((linkifier) => linkifier.find(text, 0, work) !== null);
}

function storeHit(label: string, url: string, session: Session): string {
  return label.includes(OPEN) ? label : storeBareLink(url, label, session);
}
