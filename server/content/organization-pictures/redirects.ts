/** Addresses of the organization's pictures that never change. They redirect to the present ones. */
import { Type } from "typebox";
import { type Endpoint, optional } from "../../../api/endpoint.ts";
import { organizationPictureUrl } from "../../organization/pictures.ts";
import { route } from "../../people/viewer/route.ts";
import { Redirection } from "../../platform/http/answer.ts";
import type { Route } from "../../platform/http/handler.ts";

const parameters = {
  night: optional(Type.Boolean(), { description: "Whether it is the logo for dark backgrounds." }),
};

function declaration(name: string, path: string) {
  return {
    name,
    subject: "Organization pictures",
    method: "GET",
    path,
    access: "anyone",
    summary: "Load a picture",
    description: "Redirects to a picture of the organization.",
    parameters,
    reply: {},
    errors: [],
    emits: [],
    example: { parameters: {}, reply: {} },
    sample: () => ({}),
  } as const satisfies Endpoint<typeof parameters>;
}

const options = { redirects: { isOutsideApi: false } };

export const organizationPictureRedirects: readonly Route[] = [
  route(
    declaration("getIcon", "/realm/icon"),
    ({ state }) => new Redirection(organizationPictureUrl(state, "icon")),
    options,
  ),
  route(
    declaration("getLogo", "/realm/logo"),
    ({ state, params: { night } }) =>
      new Redirection(organizationPictureUrl(state, night ? "nightLogo" : "logo")),
    options,
  ),
];
