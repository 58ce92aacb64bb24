import type { Access } from "../../../api/endpoint.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import type { Caller } from "./caller.ts";
import { Decoder } from "./decode.ts";
import type { Route } from "./handler.ts";

/** A route, made ready to be called: what can be worked out of its declaration is. */
export interface Operation {
  name: string;
  access: Access;
  handle: Route["handle"];
  decoder: Decoder;
  holds: boolean;
  isOff: boolean;
  /** Answers in a deactivated organization, too. */
  outlivesOrganization: boolean;
}

export function operationOf({ endpoint, handle }: Route, isDevelopment: boolean): Operation {
  return {
    name: endpoint.name,
    access: endpoint.access,
    handle,
    decoder: new Decoder(endpoint.parameters),
    holds: endpoint.streams ?? false,
    isOff: (endpoint.developmentOnly ?? false) && !isDevelopment,
    // Its public settings can be read, but nobody can sign in to it any more.
    outlivesOrganization: endpoint.access === "anyone" && endpoint.method === "GET",
  };
}

/** Throws unless the viewer's role is enough for the access (spec Authentication 4). A lower number is a higher role. */
export function checkRole(access: Access, { user }: Caller): void {
  if (access === "member" && user.role >= roles.guest) throw new ApiError(errors.insufficientPermission);
  if (access === "administrator" && user.role > roles.administrator)
    throw new ApiError(errors.mustBeAdministrator);
  if (access === "owner" && user.role > roles.owner) throw new ApiError(errors.mustBeOwner);
}
