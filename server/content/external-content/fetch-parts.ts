import type { OutboundHttp } from "../../platform/outbound-http/outbound-http.ts";
import type { Services } from "../../services.ts";
import type { FetchParts } from "./fetch.ts";
import { ownHosts } from "./own-hosts.ts";
import { FetchTurns } from "./turns.ts";

/** A node has one `OutboundHttp`, and so one of these: all its fetches take turns. */
const parts = new WeakMap<OutboundHttp, FetchParts>();

export function fetchPartsOf({
  config,
  organizations,
  outbound,
}: Pick<Services, "config" | "organizations" | "outbound">): FetchParts {
  const known = parts.get(outbound);
  if (known) return known;
  const made = { outbound, turns: new FetchTurns(), isOwnHost: ownHosts(config, organizations) };
  parts.set(outbound, made);
  return made;
}
