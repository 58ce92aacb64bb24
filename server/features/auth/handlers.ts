import { devFetchApiKey, fetchApiKey } from "../../../api/auth.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { route } from "../users/route.ts";
import { findForDevelopment, presentApiKey, signIn } from "./sign-in.ts";

export function authRoutes({ keyring }: Services): Route[] {
  return [
    route(fetchApiKey, async ({ state, params: { username, password }, address }) =>
      presentApiKey(state, keyring, await signIn(state, keyring, { username, password, address })),
    ),
    route(devFetchApiKey, ({ state, params }) =>
      presentApiKey(state, keyring, findForDevelopment(state, params.username)),
    ),
  ];
}
