import {
  confirmTotp,
  getSecondSteps,
  removeTotp,
  renewRecoveryCodes,
  startTotp,
} from "../../../api/accounts/second-steps.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { checkProof } from "../proof/check.ts";
import { beginTotp, endTotp, finishTotp, replaceCodes } from "./actions.ts";
import { isRequiredOf } from "./required.ts";
import { findSecondSteps } from "./store.ts";

export function secondStepRoutes(services: Pick<Services, "keyring" | "mailer">): Route[] {
  const { keyring } = services;
  return [
    route(getSecondSteps, async ({ state, viewer }) => {
      checkPerson(viewer);
      const own = await findSecondSteps(state.database, state.organizationId, viewer.user.id);
      return {
        totp: own.hasTotp,
        passkeys: own.passkeys,
        recovery_codes: own.recoveryCodes,
        is_required: isRequiredOf(state, viewer.user),
      };
    }),
    route(startTotp, async ({ viewer, params, address }) => {
      checkPerson(viewer);
      return beginTotp(services, await checkProof(keyring, viewer, params, address));
    }),
    route(confirmTotp, async ({ viewer, params: { code, password }, address }) => {
      checkPerson(viewer);
      const proven = await checkProof(keyring, viewer, { password }, address);
      return { recovery_codes: await finishTotp(services, proven, { code, address }) };
    }),
    route(removeTotp, async ({ viewer, params, address }) => {
      checkPerson(viewer);
      await endTotp(services, await checkProof(keyring, viewer, params, address));
      return {};
    }),
    route(renewRecoveryCodes, async ({ viewer, params, address }) => {
      checkPerson(viewer);
      const proven = await checkProof(keyring, viewer, params, address);
      return { recovery_codes: await replaceCodes(services, proven) };
    }),
  ];
}
