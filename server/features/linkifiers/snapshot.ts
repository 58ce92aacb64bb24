import type { SnapshotSlice } from "../../platform/queues/register.ts";
import { linkifiers } from "./linkifier.ts";

/** Clients that do not know URL templates get none (spec E20 `linkifier_url_template`). */
export const linkifierSnapshot: SnapshotSlice = ({ live, options, wants }) => {
  if (!wants("realm_linkifiers")) return undefined;
  const rows = options.capabilities.linkifier_url_template ? live.get(linkifiers).rows : [];
  return {
    realm_linkifiers: rows.map(({ id, pattern, urlTemplate }) => ({
      id,
      pattern,
      url_template: urlTemplate,
    })),
  };
};
