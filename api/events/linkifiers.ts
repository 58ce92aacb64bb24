import { Type } from "typebox";
import { exampleLinkifier, linkifier } from "../content/linkifiers.ts";
import { event } from "../event.ts";

export const linkifiersChanged = event({
  type: "realm_linkifiers",
  description:
    "The organization's linkifiers changed. Only clients with `linkifier_url_template` get this event.",
  payload: {
    realm_linkifiers: Type.Array(linkifier, { description: "All of them, as they are now, in their order." }),
  },
  example: { realm_linkifiers: [exampleLinkifier] },
});
