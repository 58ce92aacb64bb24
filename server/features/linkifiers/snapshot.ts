import { registerLinkifiers } from "../../../api/register/linkifiers.ts";
import { sectionOf } from "../users/register-section.ts";
import { linkifiers } from "./linkifier.ts";

/** COMPAT: clients that do not know URL templates get an empty list (spec E20 `linkifier_url_template`). */
export const linkifierSection = sectionOf(registerLinkifiers, ({ state, options, wants }) => {
  if (!wants("realm_linkifiers")) return undefined;
  const rows = options.capabilities.linkifier_url_template ? state.get(linkifiers).rows : [];
  return {
    realm_linkifiers: rows.map(({ id, pattern, urlTemplate }) => ({
      id,
      pattern,
      url_template: urlTemplate,
    })),
  };
});
