import { ApiError, errors } from "../../../api/errors.ts";
import { getUserStatus, updateOwnStatus, updateUserStatus } from "../../../api/profiles/user-status.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeState } from "../../people/viewer/change.ts";
import { checkAdministrator, checkPerson } from "../../people/viewer/current-viewer.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { accessPerson, type NewStatus, setAway, setStatus } from "./actions.ts";
import { presentUserStatus } from "./present.ts";

export function userStatusRoutes({ config }: Pick<Services, "config">): Route[] {
  const quotas = new Quotas(config);
  return [
    route(updateOwnStatus, async ({ viewer, params: { away, ...status } }) => {
      checkPerson(viewer);
      if (away === undefined) checkNews(status);
      await changeState(viewer, async (tx) => {
        if (away !== undefined) await setAway(tx, away);
        await setStatus(tx, quotas, tx.viewer.user, status);
      });
      return {};
    }),
    route(getUserStatus, ({ state, viewer, params }) => ({
      status: presentUserStatus(state, accessPerson(viewer, params.userId)),
    })),
    route(updateUserStatus, async ({ viewer, params: { userId, ...status } }) => {
      checkPerson(viewer);
      await changeState(viewer, async (tx) => {
        checkAdministrator(tx.viewer);
        const target = accessPerson(tx.viewer, userId);
        checkNews(status);
        await setStatus(tx, quotas, target, status);
      });
      return {};
    }),
  ];
}

function checkNews({ statusText, emojiName, emojiCode, reactionType }: NewStatus): void {
  if ([statusText, emojiName, emojiCode, reactionType].every((part) => part === undefined)) {
    throw new ApiError(errors.noNewStatus);
  }
}
