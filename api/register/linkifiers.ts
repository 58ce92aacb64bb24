import { Type } from "typebox";
import { registerSection } from "../register-section.ts";

export const registerLinkifiers = registerSection({
  fields: {
    realm_linkifiers: Type.Array(
      Type.Object({
        id: Type.Integer({ description: "The linkifier's ID." }),
        pattern: Type.String({
          description: "What becomes a link: a regular expression in the syntax of RE2.",
        }),
        url_template: Type.String({ description: "Where the link leads, by RFC 6570." }),
      }),
      {
        description:
          "The patterns that become links, in the order in which they are tried. Empty for clients without `linkifier_url_template`.",
      },
    ),
  },
});
