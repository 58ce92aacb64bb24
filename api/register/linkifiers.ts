import { Type } from "typebox";
import { linkifier } from "../content/linkifiers.ts";
import { registerSection } from "../register-section.ts";

export const registerLinkifiers = registerSection({
  fields: {
    realm_linkifiers: Type.Array(linkifier, {
      description:
        "The patterns that become links, in the order in which they are tried. Empty for clients without `linkifier_url_template`.",
    }),
    realm_filters: Type.Array(Type.Never(), { description: "Linkifiers in an older form: always empty." }),
  },
});
