/** The two organizations of the harness and their people, each with one trait. */

import pino from "pino";
import type { OrganizationId } from "../../api/ids.ts";
import { roles } from "../../api/roles.ts";
import { openServices } from "../../server/app.ts";
import type { Config } from "../../server/config.ts";
import { createSystemGroups } from "../../server/groups/create.ts";
import { insertOrganization } from "../../server/organization/store.ts";
import { createUser } from "../../server/people/actions.ts";
import { findEncryptedApiKey } from "../../server/people/api-key-store.ts";
import { createNotificationBot } from "../../server/people/notification-bot.ts";
import { GENERIC_BOT, type User, users } from "../../server/people/user.ts";
import { hashPassword } from "../../server/platform/crypto/passwords.ts";
import type { Connection, Database } from "../../server/platform/db/database.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { patchOf } from "../../server/platform/log/projection.ts";
import type { Services } from "../../server/services.ts";

export const HOST = "demo.test";
export const OTHER_HOST = "other.test";

/** In the order of creation, which determines their ids. */
const cast = {
  ada: { email: "ada@demo.test", fullName: "Ada Osei", role: roles.owner },
  ben: { email: "ben@demo.test", fullName: "Ben Ito", role: roles.administrator },
  cleo: { email: "cleo@demo.test", fullName: "Cleo Marsh", role: roles.moderator },
  dev: { email: "dev@demo.test", fullName: "Dev Rao", role: roles.member },
  elin: { email: "elin@demo.test", fullName: "Elin Berg", role: roles.member },
  gus: { email: "gus@demo.test", fullName: "Gus Pike", role: roles.guest },
  /** Owned by ben. */
  echo: { email: "echo-bot@demo.test", fullName: "Echo Bot", role: roles.member },
  /** The only person in the other organization. */
  zed: { email: "zed@other.test", fullName: "Zed Ames", role: roles.owner },
} as const;

/** The password of all of them but the bot. */
export const CAST_PASSWORD = "four calm harbors";

export type CastName = keyof typeof cast;
const names = Object.keys(cast) as CastName[];

export const hostOf = (name: CastName) => (name === "zed" ? OTHER_HOST : HOST);

/** Creates the whole cast in a migrated database, with the functions that requests use, and disconnects. */
export async function createCast(config: Config, connection: Connection): Promise<void> {
  const services = await openServices(config, pino({ level: "silent" }), connection);
  try {
    const { database, organizations } = services;
    const state = await organizations.byId(await createOrganization(database, HOST, "Demo"));
    const otherState = await organizations.byId(await createOrganization(database, OTHER_HOST, "Other"));
    const passwordHash = await hashPassword(CAST_PASSWORD);
    for (const name of names)
      await addMember(services, name === "zed" ? otherState : state, { name, passwordHash });
    // After the cast, whose ids are fixed.
    await addNotificationBot(state, HOST);
    await addNotificationBot(otherState, OTHER_HOST);
  } finally {
    await services.queues.stop();
    await services.database.close();
  }
}

export interface Member {
  state: OrganizationState;
  id: User["id"];
  apiKey: string;
}

/** Finds the cast in a database that has it. */
export async function findCast(
  { database, keyring }: Services,
  stateOf: (name: CastName) => OrganizationState,
): Promise<Map<CastName, Member>> {
  const members = names.map(async (name) => {
    const state = stateOf(name);
    const { id } = state.get(users).findByEmail(cast[name].email) as User;
    const encrypted = await findEncryptedApiKey(database, state.organizationId, id);
    return [name, { state, id, apiKey: keyring.decrypt(encrypted as Buffer) }] as const;
  });
  return new Map(await Promise.all(members));
}

async function createOrganization(database: Database, host: string, name: string): Promise<OrganizationId> {
  return database.transaction(async (tx) => {
    const id = await insertOrganization(tx, { host, name, settings: {} });
    await createSystemGroups(tx, id);
    return id;
  });
}

async function addMember(
  { keyring }: Services,
  state: OrganizationState,
  { name, passwordHash }: { name: CastName; passwordHash: string },
): Promise<void> {
  const owner = name === "echo" ? state.get(users).findByEmail(cast.ben.email) : undefined;
  const bot = owner && { botType: GENERIC_BOT, botOwnerId: owner.id };
  await runStateChange(state, (tx) =>
    createUser(tx, keyring, { ...cast[name], ...(bot ? { ...bot, passwordHash: null } : { passwordHash }) }),
  );
}

async function addNotificationBot(state: OrganizationState, host: string): Promise<void> {
  await runStateChange(state, async (tx) => {
    const bot = await createNotificationBot(tx, state.organizationId, host);
    tx.appendPatch(patchOf(users, { put: [bot] }));
  });
}
