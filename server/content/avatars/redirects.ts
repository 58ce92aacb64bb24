/**
 * Addresses of pictures by whom they show, for programs that have no address of the picture itself. They
 * redirect to it.
 */
import { Type } from "typebox";
import { type Endpoint, inPath, optional } from "../../../api/endpoint.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { UNKNOWN_USER_PICTURE } from "../../../api/people/unknown-user.ts";
import { findKnownByEmail, findKnownById } from "../../people/access/access.ts";
import { avatarUrl, type PictureSize, publicAvatarUrl, withSize } from "../../people/pictures/picture.ts";
import { users } from "../../people/user.ts";
import { route } from "../../people/viewer/route.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { Redirection } from "../../platform/http/answer.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

const MAX_ADDRESS_LENGTH = 320;
const ID = /^\d{1,15}$/;

const parameters = {
  user: inPath(Type.String({ maxLength: MAX_ADDRESS_LENGTH }), { description: "The ID or email address." }),
  version: optional(Type.String({ maxLength: 20 }), { description: "For caches of the client." }),
};

/** `access`: readers without an account too, where the organization has public access. */
function declaration(name: string, path: string) {
  return {
    name,
    subject: "Avatars",
    method: "GET",
    path,
    access: "spectator",
    summary: "Load a picture",
    description: "Redirects to the picture of a person or bot.",
    parameters,
    reply: {},
    errors: [],
    emits: [],
    example: { parameters: { user: "10" }, reply: {} },
    sample: () => ({ user: "10" }),
  } as const satisfies Endpoint<typeof parameters>;
}

export const avatarRedirects: readonly Route[] = [
  redirect(declaration("getAvatar", "/avatar/{user}"), "normal"),
  redirect(declaration("getMediumAvatar", "/avatar/{user}/medium"), "medium"),
];

function redirect(endpoint: ReturnType<typeof declaration>, size: PictureSize): Route {
  return route(
    endpoint,
    ({ state, viewer, params: { user, version } }) => {
      const url =
        (viewer ? knownPicture(viewer, user, size) : publicPicture(state, user, size)) ?? unknown(size);
      const query =
        version !== undefined && url.startsWith("/") ? `?version=${encodeURIComponent(version)}` : "";
      return new Redirection(url + query);
    },
    { redirects: { isOutsideApi: true } },
  );
}

/** undefined: the viewer may not know of anybody of this name. */
function knownPicture({ state, user: reader }: Viewer, named: string, size: PictureSize): string | undefined {
  const user = ID.test(named)
    ? findKnownById(state, reader, Number(named))
    : findKnownByEmail(state, reader, named);
  return user && (avatarUrl(state, user, false, size) ?? undefined);
}

/** Without an account nobody finds out by trying which addresses belong to people here. */
function publicPicture(state: OrganizationState, named: string, size: PictureSize): string | undefined {
  if (!ID.test(named)) throw new ApiError(errors.notLoggedIn);
  const user = state.get(users).find(Number(named));
  return user && publicAvatarUrl(state, user, size);
}

/** The same as for somebody of whom the reader may not know. */
function unknown(size: PictureSize): string {
  return withSize(UNKNOWN_USER_PICTURE, size);
}
