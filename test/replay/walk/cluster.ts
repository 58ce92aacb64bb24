import pino from "pino";
import { createServer, openServices } from "../../../server/app.ts";
import { readApiKey } from "../../../server/people/credentials.ts";
import { LogFollower } from "../../../server/platform/log/log-follower.ts";
import type { OrganizationState } from "../../../server/platform/log/organization-state.ts";
import { hostOf } from "../../harness/cast.ts";
import { watchServer } from "../../harness/caused-events.ts";
import {
  type CastName,
  callerOf,
  createHarness,
  type Harness,
  HOST,
  OTHER_HOST,
  serverConnections,
} from "../../harness/harness.ts";
import { withCastPassword } from "../../harness/proofs.ts";

/** Servers on one database. A call goes to any of them. */
export interface Cluster extends Harness {
  /** The organizations in the memory of each node. */
  states: readonly OrganizationState[];
}

/** `pickNode` gives the index of the node for the next call. */
export async function startCluster(nodeCount: 1 | 2, pickNode: () => number): Promise<Cluster> {
  const harness = await createHarness({}, serverConnections);
  const states = [harness.state, harness.otherState];
  if (nodeCount === 1) return { ...harness, states };
  const { config, database } = harness.services;
  const services = await openServices(config, pino({ level: "silent" }), database.connection);
  const app = await createServer(services);
  watchServer(app, services.database);
  for (const host of [HOST, OTHER_HOST])
    states.push((await services.organizations.byHost(host)) as OrganizationState);
  const followers = [harness.services, services].map((each) => new LogFollower(each, () => {}));
  for (const follower of followers) await follower.start();
  return {
    ...harness,
    states,
    as(name) {
      const node = pickNode() === 0 ? harness.app : app;
      // A bot has no password.
      return callerOf(
        node,
        () => headersOf(harness, name),
        undefined,
        name === "echo" ? undefined : withCastPassword,
      );
    },
    async close() {
      for (const follower of followers) await follower.stop();
      await services.queues.stop();
      await app.close();
      await services.database.close();
      await harness.close();
    },
  };
}

/**
 * With the key that the database has: somebody who was reactivated has another one than at first, and the
 * memory of the node that did not do it may not know that yet.
 */
async function headersOf(harness: Harness, name: CastName): Promise<Record<string, string>> {
  const { email, id, viewer } = harness.user(name);
  const apiKey = await readApiKey(viewer.state, harness.services.keyring, id);
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  return { host: hostOf(name), authorization, "user-agent": "ParleyTest/1.0" };
}
