/**
 * Making the demo organization takes a few steps. Each is one transaction that leaves a mark in the
 * organization's memory, and does nothing once its mark is there. So a server that was killed amidst them
 * leaves whole steps, and the next start makes the others. Servers that start at once take turns, see
 * `holdingLock`.
 */

import { users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { analyze } from "../../platform/db/analyze.ts";
import { holdingLock, LockTaken } from "../../platform/db/held-lock.ts";
import { lockClasses } from "../../platform/db/locks.ts";
import { FaultError } from "../../platform/faults/fault-error.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { createOrganization } from "../setup/create-organization.ts";
import { DEMO_PASSWORD, people } from "./cast.ts";
import { addColleagues, addFirstPeople, isOfEarlierVersion } from "./populate.ts";
import { isWhole, sendFirstConversations, sendOtherConversations } from "./send-conversations.ts";

/** How long a server waits for another one that makes the demo. A busy machine takes half a minute. */
const WAIT_MS = 120_000;

/** The demo can't be made here. The message is a sentence for the person who started it. */
export class NotTheDemo extends FaultError {}

export interface DemoOptions {
  /** The moment in which the demo's morning ends, in place of the present. */
  now?: number;
  /** In place of the time that it usually waits for another server. */
  waitMs?: number;
}

/** A step of `createDemo`. */
export type DemoStep = (
  services: Pick<Services, "config" | "files" | "keyring">,
  ada: Viewer,
  now: number,
) => Promise<void>;

export const demoSteps: readonly DemoStep[] = [
  addFirstPeople,
  sendFirstConversations,
  addColleagues,
  sendOtherConversations,
];

/** Creates the demo organization unless it exists. Several servers that start at once create it once. */
export async function createDemo(
  services: Pick<Services, "config" | "database" | "files" | "keyring" | "organizations">,
  host: string,
  { now = Date.now(), waitMs = WAIT_MS }: DemoOptions = {},
): Promise<void> {
  const known = await services.organizations.primary();
  if (known && isMade((await openDemo(known)).state)) return;
  const lock = { lockClass: lockClasses.demo, object: 0, waitMs };
  await holdingLock(services.database, lock, async () => {
    const state = (await services.organizations.primary()) ?? (await createDemoOrganization(services, host));
    const ada = await openDemo(state);
    if (isMade(state)) return;
    for (const step of demoSteps) await step(services, ada, now);
    const tables = ["users", "channels", "subscriptions", "log_positions", "messages", "topics"] as const;
    await analyze(services.database, tables);
  }).catch((error) => {
    if (!(error instanceof LockTaken)) throw error;
    throw new NotTheDemo(
      "data-in-use",
      `For ${waitMs / 1000} seconds another server has been making the demo in this database. Start this one again.`,
    );
  });
}

/** Gives the owner. Throws for the database of another organization. */
async function openDemo(state: OrganizationState): Promise<Viewer> {
  await state.catchUp();
  const user = state.get(users).findByEmail(people.ada.email);
  if (!user) {
    throw new NotTheDemo(
      "database-foreign",
      "This data belongs to another organization, so the demo can't use it. Set PARLEY_DATA_DIR to another directory.",
    );
  }
  return { state, user, client: "website" };
}

function isMade(state: OrganizationState): boolean {
  return isWhole(state) || isOfEarlierVersion(state);
}

async function createDemoOrganization(
  services: Pick<Services, "database" | "keyring" | "organizations">,
  host: string,
): Promise<OrganizationState> {
  const { email, fullName } = people.ada;
  const owner = { email, fullName, password: DEMO_PASSWORD };
  const { state } = await createOrganization(services, { name: "Demo", host, owner });
  return state;
}
