/** A way back for somebody who has forgotten the password, where the server can't send mail. */
import { readPasswordHash } from "../../people/credentials.ts";
import type { User } from "../../people/user.ts";
import type { Change } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { createCode, endCodesOfLogin, OPERATOR_LINK_HOURS } from "../mailed-codes/codes.ts";
import { noteSecurityChange } from "../proof/security-change.ts";
import { renewSessions } from "../sessions/end.ts";

/**
 * Makes the link, for the command line; links of before end. The password stays until the person sets another
 * one by the link, which works once, for `OPERATOR_LINK_HOURS`. Second steps stay. With `endsSessions` all
 * sessions of the account end at once, which needs a state change. The person gets a mail where there is one
 * to be sent.
 */
export async function makeOperatorLink(
  tx: Change,
  services: Pick<Services, "keyring" | "mailer">,
  user: User,
  { site, endsSessions }: { site: string; endsSessions: boolean },
): Promise<{ link: string; expiresAt: Date }> {
  if (endsSessions) await renewSessions(tx, services.keyring, user.id);
  await endCodesOfLogin(tx, user.id);
  const passwordHash = await readPasswordHash(tx, user.id);
  const code = { purpose: "password", userId: user.id, email: user.email, passwordHash } as const;
  const link = await createCode(tx, services.keyring, tx.state, { ...code, isByOperator: true }, site);
  const ended = endsSessions ? " All sessions have ended." : "";
  const what = `The people who run the server made a link by which another password can be set.${ended}`;
  await noteSecurityChange(tx, services, user, { action: "password_link_made", what, isRequest: true });
  return { link, expiresAt: new Date(Date.now() + OPERATOR_LINK_HOURS * 3_600_000) };
}
