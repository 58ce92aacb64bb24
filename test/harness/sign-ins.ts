/** Sign-ins by password, of somebody who is new in each test and comes from a network that is new too. */
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { signIn } from "../../server/accounts/sign-in/sign-in.ts";
import { users } from "../../server/people/user.ts";
import { sql } from "../../server/platform/db/sql.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { addPerson } from "./accounts.ts";
import { createHarness, type Harness } from "./harness.ts";

/** Starts the server before the tests of a file, and ends it after. */
export function useSignIns() {
  let harness: Harness;
  let count = 0;
  let username: string;
  let address: string;
  beforeAll(async () => {
    harness = await createHarness();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    username = `person${++count}@demo.test`;
    address = `198.51.100.${count}`;
    await addPerson(harness, username, `Person ${count}`);
  });

  function fetchKey(password: string, name = username, from = address, host?: string) {
    return harness.nobody(host, { address: from }).post("/fetch_api_key", { username: name, password });
  }

  async function fail(times: number, name = username, from = address, host?: string): Promise<void> {
    for (let each = 0; each < times; each++) {
      expect((await fetchKey(`wrong ${each}`, name, from, host)).status).toBe(401);
    }
  }

  const signInHere = (state: OrganizationState, name: string, password: string) =>
    signIn(state, harness.services.keyring, { username: name, password, address });

  /** Lets a time pass for all counts. */
  const pass = (seconds: number) =>
    harness.services.database.query(sql`
      update sign_in_attempts set window_started_at = window_started_at - make_interval(secs => ${seconds}),
        blocked_until = blocked_until - make_interval(secs => ${seconds})`);

  /** Pretends that so many attempts have counted for a subject, since each real one hashes a password. */
  const pretend = (subject: string, attempts: number) =>
    harness.services.database.query(sql`
      insert into sign_in_attempts (organization_id, subject, attempts, window_started_at)
      values (${harness.state.organizationId}, ${subject}, ${attempts}, now())
      on conflict (organization_id, subject) do update set attempts = excluded.attempts`);

  /** Pretends that so many attempts of an account failed in networks that nobody uses. */
  const failElsewhere = (name: string, times: number) =>
    pretend(`user ${harness.state.get(users).findByEmail(name)?.id}`, times);

  return {
    ...{ fetchKey, fail, signInHere, pass, pretend, failElsewhere },
    get harness() {
      return harness;
    },
    /** How many tests have begun. */
    get count() {
      return count;
    },
    /** The person of the running test, so that no test uses up another's attempts. */
    get username() {
      return username;
    },
    /** Likewise an address, so that no test uses up another's network. */
    get address() {
      return address;
    },
  };
}
