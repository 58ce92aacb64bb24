import { readApiKey } from "../../server/people/credentials.ts";
import { users } from "../../server/people/user.ts";
import { type Caller, callerOf, type Harness } from "./harness.ts";

/** Calls as somebody of an organization that a test has made, such as an import. They need no password. */
export async function callerAt(harness: Harness, host: string, email: string): Promise<Caller> {
  const state = await harness.services.organizations.byHost(host);
  const user = state?.get(users).findByEmail(email);
  if (!state || !user) throw new Error(`there is nobody with the address ${email}`);
  const key = await readApiKey(state, harness.services.keyring, user.id);
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  return callerOf(harness.app, { host, authorization, "user-agent": "ParleyTest/1.0" });
}
