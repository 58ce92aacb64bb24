/**
 * A world in which every cell of the tables has its own things, so that one call can't spoil another. Each
 * role, kind of channel and standing has a channel with messages. Each role also has a person, a bot, a group
 * and a folder to act on. The world is built once. Each endpoint that changes something gets a copy, with its
 * own database.
 */

import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { inject } from "vitest";
import { roles as userRoles } from "../../api/roles.ts";
import { createServer, openServices } from "../../server/app.ts";
import type { Config } from "../../server/config.ts";
import type { Database } from "../../server/platform/db/database.ts";
import { sql } from "../../server/platform/db/sql.ts";
import type { Services } from "../../server/services.ts";
import { watchServer } from "../harness/caused-events.ts";
import { createHarness, fewConnections, type Harness, HOST, OTHER_HOST } from "../harness/harness.ts";
import { dropLater, runOnServer } from "../harness/postgres.ts";
import { actors, type Role, roles } from "./people.ts";
import { makePlaces, type Place, type Things } from "./places.ts";
import { addPerson, addTargets } from "./targets.ts";

export interface Fixture {
  places: readonly Place[];
  /** The things for a cell that is about no channel. The channel among them is public. */
  thingsOf(role: Role): Things;
  /**
   * The headers with which a role calls. The stranger uses the address of their own organization, or ours
   * with `here`.
   */
  headersOf(role: Role, where?: "here"): Record<string, string>;
  /** Everybody's API keys. */
  secrets: readonly string[];
  /** The one of the bot, which its owner may have. */
  botKey: string;
  /** A server on a copy of it all. */
  open(): Promise<Copy>;
  close(): Promise<void>;
}

export interface Copy {
  app: FastifyInstance;
  services: Services;
  /** Positions of the logs of all organizations: a call that changes nothing leaves them. */
  heads(): Promise<string>;
  /** The heads, and the audit logs of all organizations from the entries after this one. */
  look(afterId: number): Promise<Look>;
  close(): Promise<void>;
}

/** What a copy holds at one moment. */
export interface Look {
  heads: string;
  /** Oldest first. */
  entries: { action: string; text: string }[];
  /** The id of the newest entry, or the one that was asked from. */
  lastEntry: number;
}

/** Making a copy is waiting for the database, so it can be done while another copy is in use. */
const COPIES_AHEAD = 3;

export async function buildFixture(): Promise<Fixture> {
  const harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  await setRules(harness);
  const olga = await addPerson(harness, "olga", userRoles.owner, null);
  const moderation = await harness.channel("reports of the stage", ["ada"], { isPrivate: true });
  await harness.as("ada").patch("/realm", { moderation_request_channel_id: moderation.id });
  const targets = await addTargets(harness, olga);
  await setPresence(harness);
  const places = await makePlaces(harness, olga, targets);
  const { config, database } = harness.services;
  const { database: template } = database.connection;
  const identities = new Map(
    roles.flatMap((role) => (actors[role] ? [[role, harness.user(actors[role])] as const] : [])),
  );
  const ahead: Promise<Copy>[] = [];
  // A database can be copied only while nobody is connected to it.
  await harness.services.queues.stop();
  await harness.app.close();
  await database.close();
  return {
    places,
    thingsOf: (role) => places.find((place) => place.role === role)?.things as Things,
    headersOf(role, where) {
      const identity = identities.get(role);
      const host = role === "stranger" && where !== "here" ? OTHER_HOST : HOST;
      const credentials = identity && Buffer.from(`${identity.email}:${identity.apiKey}`).toString("base64");
      return {
        host,
        "user-agent": "ParleyTest/1.0",
        ...(credentials ? { authorization: `Basic ${credentials}` } : undefined),
      };
    },
    secrets: [...identities.values()].map(({ apiKey }) => apiKey),
    botKey: identities.get("bot")?.apiKey as string,
    open() {
      while (ahead.length < COPIES_AHEAD) ahead.push(openCopy(config, template as string));
      return ahead.shift() as Promise<Copy>;
    },
    async close() {
      for (const copy of ahead) await (await copy).close();
      await runOnServer(`drop database if exists ${template} with (force)`);
    },
  };
}

/**
 * Members count as full after a month, and all except elin have been here for longer. People without an
 * account may read web-public channels.
 */
async function setRules(harness: Harness): Promise<void> {
  await harness.as("ada").patch("/realm", { waiting_period_threshold: 30, enable_spectator_access: true });
  await harness.services.database.query(
    sql`update users set joined_at = '2020-01-01' where id <> ${harness.user("elin").id} and not is_system`,
  );
}

/** The people to act on were there once. */
async function setPresence(harness: Harness): Promise<void> {
  await harness.services.database.query(sql`
    insert into presences (organization_id, user_id, last_active_at, last_connected_at, update_id)
    select organization_id, id, now(), now(), 1 from users where email ~ '^pat'`);
}

async function openCopy(config: Config, template: string): Promise<Copy> {
  const name = `test_${process.pid}_${randomBytes(6).toString("hex")}`;
  const { superuser, owner } = inject("postgres");
  await runOnServer(`create database ${name} owner ${owner} template ${template} strategy file_copy`);
  const connection = { ...superuser, user: owner, database: name };
  const log = pino({ level: "silent" });
  const services = await openServices(config, log, connection, undefined, fewConnections);
  const app = await createServer(services);
  watchServer(app, services.database);
  return {
    app,
    services,
    heads: async () => (await lookAt(services.database, Number.MAX_SAFE_INTEGER)).heads,
    look: (afterId) => lookAt(services.database, afterId),
    async close() {
      await services.queues.stop();
      await app.close();
      await services.database.close();
      dropLater(name);
    },
  };
}

async function lookAt(database: Database, afterId: number): Promise<Look> {
  const [row] = await database.query<Look>(sql`
    select
      (select string_agg(organization_id || ' ' || head, ', ' order by organization_id) from organization_logs)
        as heads,
      coalesce(json_agg(json_build_object('action', action, 'text', entry) order by id), '[]') as entries,
      coalesce(max(id), ${afterId}::bigint) as "lastEntry"
    from (select id, action, audit_log::text as entry from audit_log where id > ${afterId}) newer`);
  return row as Look;
}
