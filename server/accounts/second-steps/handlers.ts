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
import { beginTotp, endTotp, finishTotp, replaceCodes } from "./actions.ts";
import { isRequiredOf } from "./required.ts";
import { findSecondSteps } from "./store.ts";

export function secondStepRoutes(services: Pick<Services, "keyring" | "mailer">): Route[] {
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
    route(startTotp, ({ viewer }) => beginTotp(services, viewer)),
    route(confirmTotp, async ({ viewer, params: { code }, address }) => ({
      recovery_codes: await finishTotp(services, viewer, { code, address }),
    })),
    route(removeTotp, async ({ viewer }) => {
      await endTotp(services, viewer);
      return {};
    }),
    route(renewRecoveryCodes, async ({ viewer }) => ({
      recovery_codes: await replaceCodes(services, viewer),
    })),
  ];
}
