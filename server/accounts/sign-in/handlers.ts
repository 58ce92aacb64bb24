import {
  devFetchApiKey,
  devListUsers,
  fetchApiKey,
  fetchApiKeyByToken,
  regenerateApiKey,
} from "../../../api/accounts/sign-in.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { organization } from "../../organization/organization.ts";
import { giveApiKey } from "../../people/actions.ts";
import { presentPasswordHash } from "../../people/credentials.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeState } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import { route } from "../../people/viewer/route.ts";
import { deviceName } from "../../platform/http/device-name.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { noteSecurityChange } from "../proof/security-change.ts";
import { mustSetUp } from "../second-steps/required.ts";
import { noteSignIn } from "../sign-in-notices/notices.ts";
import { findForDevelopment, listForDevelopment, presentApiKey, presentProfile } from "./sign-in.ts";
import { signInByToken } from "./token-sign-in.ts";
import { signInWithSteps } from "./with-steps.ts";

export function authRoutes(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
): Route[] {
  const { config, keyring } = services;
  const quotas = new Quotas(config);
  return [
    route(fetchApiKey, async ({ state, params, address, userAgent }) => {
      const { user, by, passwordHash } = await signInWithSteps(state, keyring, { ...params, address });
      // A key can't set a second step up later, and would be the way around it.
      if (mustSetUp(state, user, by)) throw new ApiError(errors.secondStepSetupRequired);
      await noteSignIn(services, state, user, { address, device: deviceName(userAgent) });
      const account = await presentApiKey(state, keyring, user);
      // A password that was set by mail meanwhile has replaced the key, which may be the new one.
      if ((await presentPasswordHash(state, user.id)) !== passwordHash)
        throw new ApiError(errors.authenticationFailed);
      return account;
    }),
    route(fetchApiKeyByToken, async ({ state, params: { token, includeProfile }, address, userAgent }) => {
      const key = config.jwtKeys.get(state.get(organization).host);
      const user = await signInByToken(state, keyring, key, { token, address });
      await noteSignIn(services, state, user, { address, device: deviceName(userAgent) });
      const { api_key, email } = await presentApiKey(state, keyring, user);
      return { api_key, email, ...(includeProfile && { user: presentProfile(state, user) }) };
    }),
    route(devFetchApiKey, ({ state, params }) =>
      presentApiKey(state, keyring, findForDevelopment(state, params.username)),
    ),
    route(devListUsers, ({ state, baseUrl }) => listForDevelopment(state, baseUrl)),
    route(regenerateApiKey, async ({ viewer }) => ({
      api_key: await changeState(viewer, async (tx) => {
        checkPerson(tx.viewer);
        await quotas.use(tx, "API keys");
        const what = "There is a new API key. Programs with the old one no longer work.";
        await noteSecurityChange(tx, services, tx.viewer.user, { action: "own_api_key_replaced", what });
        return giveApiKey(tx, keyring, tx.viewer.user.id);
      }),
    })),
  ];
}
