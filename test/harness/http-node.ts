import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { createServer, openServices } from "../../server/app.ts";
import { LogFollower } from "../../server/platform/log/log-follower.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import type { Services } from "../../server/services.ts";
import { type Harness, HOST } from "./harness.ts";

/** One of several servers on a database, with HTTP. It follows what the others commit. */
export interface HttpNode {
  services: Services;
  app: FastifyInstance;
  state: OrganizationState;
  port: number;
  stop(): Promise<void>;
}

/** The harness's own server. Its end is the harness's. */
export async function firstNode({ services, app, state }: Harness): Promise<HttpNode> {
  const follower = await followerOf(services);
  return { services, app, state, port: await listen(app), stop: () => follower.stop() };
}

/** A further server on the harness's database and files. */
export async function furtherNode({ services: { config, database } }: Harness): Promise<HttpNode> {
  const services = await openServices(config, pino({ level: "silent" }), database.connection);
  const app = await createServer(services);
  const follower = await followerOf(services);
  const state = (await services.organizations.byHost(HOST)) as OrganizationState;
  return {
    services,
    app,
    state,
    port: await listen(app),
    async stop() {
      await follower.stop();
      await services.queues.stop();
      await app.close();
      await services.database.close();
    },
  };
}

async function followerOf(services: Services): Promise<LogFollower> {
  const follower = new LogFollower(services, () => {});
  await follower.start();
  return follower;
}

async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  return (app.server.address() as AddressInfo).port;
}
