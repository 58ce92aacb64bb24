import { registerLinkifiers } from "../../../api/register/linkifiers.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { linkifiers } from "./linkifier.ts";
import { presentLinkifier } from "./present.ts";

/**
 * COMPAT: clients that do not know URL templates get an empty list (spec E20 `linkifier_url_template`).
 * `realm_filters` was the list before there were templates, and clients still look for it.
 */
export const linkifierSection = sectionOf(registerLinkifiers, ({ state, options, wants }) => {
  const rows = options.capabilities.linkifier_url_template ? state.get(linkifiers).rows : [];
  return {
    ...(wants("realm_linkifiers") && { realm_linkifiers: rows.map(presentLinkifier) }),
    ...(wants("realm_filters") && { realm_filters: [] }),
  };
});
