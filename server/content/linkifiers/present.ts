import type { LinkifierRecord } from "../../../api/content/linkifiers.ts";
import type { LinkifierRow } from "./store.ts";

export function presentLinkifier({ id, pattern, urlTemplate }: LinkifierRow): LinkifierRecord {
  return { id, pattern, url_template: urlTemplate };
}
