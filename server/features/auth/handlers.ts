import { devFetchApiKey, fetchApiKey } from "../../../api/auth.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { route } from "../users/route.ts";
import { findForDevelopment, presentApiKey, signIn } from "./sign-in.ts";

export function authRoutes({ keyring }: Services): Route[] {
  return [
    route(fetchApiKey, async ({ state, params }) =>
      presentApiKey(state, keyring, await signIn(state, params.username, params.password)),
    ),
    route(devFetchApiKey, ({ state, params }) =>
      presentApiKey(state, keyring, findForDevelopment(state, params.username)),
    ),
  ];
}
