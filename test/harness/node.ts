import pino, { type Logger } from "pino";
import type { OrganizationId } from "../../api/ids.ts";
import { openServices } from "../../server/app.ts";
import type { Config } from "../../server/config.ts";
import { sendMessage } from "../../server/messages/send/send.ts";
import { type User, users } from "../../server/people/user.ts";
import type { Connection } from "../../server/platform/db/database.ts";
import type { Delivery } from "../../server/platform/log/log-entry.ts";
import { LogFollower } from "../../server/platform/log/log-follower.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { register } from "../../server/platform/queues/register.ts";
import type { Services } from "../../server/services.ts";
import { queueOptions } from "./queue.ts";

export interface Received {
  id: number;
  content: string;
}

/** One of several servers on a database, without HTTP. */
export class Node {
  readonly services: Services;
  readonly state: OrganizationState;
  readonly #follower: LogFollower;

  private constructor(services: Services, state: OrganizationState, follower: LogFollower) {
    this.services = services;
    this.state = state;
    this.#follower = follower;
  }

  /** On an organization, or on the primary one. */
  static async start(
    config: Config,
    connection: Connection,
    {
      organizationId,
      log = pino({ level: "silent" }),
    }: { organizationId?: OrganizationId; log?: Logger } = {},
  ): Promise<Node> {
    const services = await openServices(config, log, connection);
    const state = organizationId
      ? await services.organizations.byId(organizationId)
      : ((await services.organizations.primary()) as OrganizationState);
    const follower = new LogFollower(services, () => {});
    await follower.start();
    return new Node(services, state, follower);
  }

  async stop(): Promise<void> {
    await this.#follower.stop();
    await this.services.queues.stop();
    await this.services.database.close();
  }

  /** Ends the node's connections and saves nothing, as a crash does. */
  async crash(): Promise<void> {
    await this.#follower.stop();
    await this.services.database.close();
  }

  viewer(email: string) {
    return { state: this.state, user: this.state.get(users).findByEmail(email) as User, client: "test" };
  }

  say(email: string, channel: { id: number }, content: string) {
    return sendMessage(this.viewer(email), {
      to: { kind: "channel", channel, topic: "nodes" },
      content,
      localEcho: null,
      readBySender: null,
    });
  }

  /** An event queue for messages. */
  async open(email: string): Promise<string> {
    const { queueId } = await register(this.state, this.services.queues, [], {
      viewer: this.viewer(email),
      options: queueOptions({ eventTypes: ["message"] }),
      fetchEventTypes: [],
      lifespanSeconds: 600,
      presenceHistoryLimitDays: 14,
      baseUrl: "http://demo.test",
    });
    return queueId as string;
  }

  /** Polls until an event comes or the poll is ended. */
  async poll(email: string, queueId: string, lastEventId: number): Promise<Received[]> {
    const { queues } = this.services;
    const request = { queueId, lastEventId, dontBlock: false };
    const deliveries = await new Promise<readonly Delivery[]>((resolve, reject) => {
      queues.poll(this.state, this.viewer(email).user.id, request, resolve).catch(reject);
    });
    return deliveries.map((delivery) => {
      const event = JSON.parse(delivery.json);
      return { id: event.id, content: event.message?.content };
    });
  }

  async receive(email: string, queueId: string, count: number): Promise<Received[]> {
    const received: Received[] = [];
    while (received.length < count) {
      received.push(...(await this.poll(email, queueId, received.at(-1)?.id ?? -1)));
    }
    return received;
  }
}
