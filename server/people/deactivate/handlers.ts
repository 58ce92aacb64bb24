import { deactivateOwnUser, deactivateUser, reactivateUser } from "../../../api/people/deactivate-users.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { changeState } from "../viewer/change.ts";
import { route } from "../viewer/route.ts";
import { deactivateOwnAccount, deactivatePerson } from "./deactivate.ts";
import { type CheckBotReturns, reactivateAccount } from "./reactivate.ts";

export const userDeactivationRoutes = (
  { keyring }: Pick<Services, "keyring">,
  checkBotReturns: CheckBotReturns,
): readonly Route[] => [
  route(deactivateUser, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => deactivatePerson(tx, params.userId));
    return {};
  }),
  route(deactivateOwnUser, async ({ viewer }) => {
    await changeState(viewer, deactivateOwnAccount);
    return {};
  }),
  route(reactivateUser, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => reactivateAccount(tx, keyring, params.userId, checkBotReturns));
    return {};
  }),
];
