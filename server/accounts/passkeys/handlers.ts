import {
  addPasskey,
  getPasskeys,
  removePasskey,
  startPasskeyRegistration,
  startPasskeySession,
  startPasskeySignIn,
  updatePasskey,
} from "../../../api/accounts/passkeys.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import { route } from "../../people/viewer/route.ts";
import { deviceName } from "../../platform/http/device-name.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { startSession } from "../sessions/start.ts";
import { listPasskeys, type Passkey, updatePasskeyName } from "./passkey-store.ts";
import { finishRegistration, passkeyName, startRegistration, withdrawPasskey } from "./register.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { signInByPasskey, startSignIn } from "./sign-in.ts";

export function passkeyRoutes(
  services: Pick<Services, "config" | "keyring" | "log" | "mailer" | "organizations">,
): Route[] {
  return [
    route(getPasskeys, async ({ state, viewer }) => {
      checkPerson(viewer);
      const own = await listPasskeys(state.database, state.organizationId, viewer.user.id);
      return { passkeys: own.map(presentPasskey) };
    }),
    route(startPasskeyRegistration, async ({ viewer, baseUrl }) => ({
      options: await startRegistration(services, viewer, relyingPartyOf(baseUrl)),
    })),
    route(addPasskey, async ({ viewer, params: { credential, name }, userAgent, baseUrl }) => {
      checkPerson(viewer);
      const { passkey, codes } = await finishRegistration(services, viewer, {
        credential,
        name: passkeyName(name, deviceName(userAgent)),
        party: relyingPartyOf(baseUrl),
      });
      return { passkey: presentPasskey(passkey), ...(codes && { recovery_codes: codes }) };
    }),
    route(updatePasskey, async ({ viewer, params: { passkeyId: id, name } }) => {
      await changeContent(viewer, async (tx) => {
        checkPerson(tx.viewer);
        const named = { userId: tx.viewer.user.id, id, name: passkeyName(name, "Passkey") };
        if (!(await updatePasskeyName(tx, tx.state.organizationId, named)))
          throw new ApiError(errors.passkeyDoesNotExist);
      });
      return {};
    }),
    route(removePasskey, async ({ viewer, params: { passkeyId } }) => {
      await withdrawPasskey(services, viewer, passkeyId);
      return {};
    }),
    route(startPasskeySignIn, async ({ state, baseUrl, cookie }) => ({
      options: await startSignIn(services, state, {
        party: relyingPartyOf(baseUrl),
        cookie: cookie.signIn,
      }),
    })),
    route(
      startPasskeySession,
      async ({ state, params: { credential }, baseUrl, address, client, cookie }) => {
        const party = relyingPartyOf(baseUrl);
        const asked = { credential, party, cookie: cookie.signIn, address };
        const signedIn = await signInByPasskey(services, state, asked);
        await startSession(services, state, signedIn, { cookie, address, client });
        cookie.signIn.clear();
        const { email, id } = signedIn.user;
        return { email, user_id: id };
      },
    ),
  ];
}

function presentPasskey({ id, name, createdAt, lastUsedAt }: Passkey) {
  return {
    id,
    name,
    created_at: Math.floor(createdAt.getTime() / 1000),
    last_used_at: lastUsedAt === null ? null : Math.floor(lastUsedAt.getTime() / 1000),
  };
}
