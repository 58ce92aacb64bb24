import { endSession, endSessionById, getSessions, startSession } from "../../../api/accounts/sessions.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { changeState } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import { route } from "../../people/viewer/route.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { mustSetUp } from "../second-steps/required.ts";
import { signInWithSteps } from "../sign-in/with-steps.ts";
import { endBegun, endSessions } from "./end.ts";
import { sessions } from "./live-sessions.ts";
import { startSession as signBrowserIn } from "./start.ts";
import { type ListedSession, listSessionsOf } from "./store.ts";

export function sessionRoutes(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
): Route[] {
  return [
    route(startSession, async ({ state, params, address, client, cookie }) => {
      const signedIn = await signInWithSteps(state, services.keyring, { ...params, address });
      const { email, id } = signedIn.user;
      await signBrowserIn(services, state, signedIn, { cookie, address, client });
      const mustSetUpFirst = mustSetUp(state, signedIn.user, signedIn.by);
      return { email, user_id: id, ...(mustSetUpFirst && { must_set_up_second_step: true }) };
    }),
    route(endSession, async ({ viewer, cookie }) => {
      const { credential } = viewer;
      if (credential?.kind !== "session") throw new ApiError(errors.sessionRequired);
      await changeState(viewer, (tx) => endSessions(tx, [credential.id]));
      cookie.clear();
      return {};
    }),
    route(getSessions, async ({ state, viewer }) => {
      checkPerson(viewer);
      const own = await listSessionsOf(state.database, state.organizationId, viewer.user.id);
      return { sessions: own.map((session) => presentSession(session, viewer)) };
    }),
    route(endSessionById, async ({ viewer, params: { sessionId }, cookie }) => {
      await changeState(viewer, async (tx) => {
        checkPerson(tx.viewer);
        const own = tx.state.get(sessions).ofUser(tx.viewer.user.id);
        if (!own.some(({ id }) => id === sessionId)) throw new ApiError(errors.sessionDoesNotExist);
        const { credential } = tx.viewer;
        const isOwn = credential?.kind === "session" && credential.id === sessionId;
        if (!isOwn) await endBegun(tx, services.keyring, tx.viewer.user.id);
        await endSessions(tx, [sessionId]);
      });
      if (viewer.credential?.kind === "session" && viewer.credential.id === sessionId) cookie.clear();
      return {};
    }),
  ];
}

function presentSession(
  { id, device, network, createdAt, lastUsedAt }: ListedSession,
  { credential }: Viewer,
) {
  return {
    id,
    device,
    network,
    created_at: Math.floor(createdAt.getTime() / 1000),
    last_used_at: Math.floor(lastUsedAt.getTime() / 1000),
    is_current: credential?.kind === "session" && credential.id === id,
  };
}
