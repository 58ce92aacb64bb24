import type { HandlerParameters } from "../../../api/endpoint.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { events } from "../../../api/index.ts";
import {
  capabilityNames,
  deleteQueue,
  getEvents,
  MAX_NARROW_BYTES,
  registerQueue,
} from "../../../api/integrations/real-time.ts";
import { users } from "../../people/user.ts";
import type { RegisterSection } from "../../people/viewer/register-section.ts";
import { type Call, route } from "../../people/viewer/route.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Delivery } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { QueueOptions } from "../../platform/queues/queue.ts";
import { DEFAULT_LIFESPAN_SECONDS, MAX_LIFESPAN_SECONDS, type Queues } from "../../platform/queues/queues.ts";
import { type Registration, register } from "../../platform/queues/register.ts";
import type { Services } from "../../services.ts";
import { versions } from "../../version.ts";
import { AnswerBodies } from "./answer-body.ts";

type RegisterCall = Call<HandlerParameters<(typeof registerQueue)["parameters"]>, Viewer | undefined>;

/**
 * The decisions of the messages module: the operators of a queue's narrow, and who may listen to all
 * public channels.
 */
export interface QueueRules {
  narrowOperators: ReadonlySet<string>;
  /** The narrow as a queue keeps it. */
  withChannelIds(state: OrganizationState, narrow: QueueOptions["narrow"]): QueueOptions["narrow"];
  canHearAllPublic(viewer: Viewer): boolean;
  /** What counts for a queue that does not say so itself; bots have such defaults. */
  defaultsOf(viewer: Viewer): Promise<Pick<QueueOptions, "narrow" | "allPublicStreams">>;
}

interface Registering {
  queues: Queues;
  sections: readonly RegisterSection[];
  rules: QueueRules;
}

/** `sections`: what the modules answer to `/register`. */
export function eventRoutes(
  { queues }: Pick<Services, "queues">,
  sections: readonly RegisterSection[],
  rules: QueueRules,
): Route[] {
  const registering = { queues, sections, rules };
  const bodies = new AnswerBodies();
  return [
    route(registerQueue, async (call) => presentRegistration(await registerFor(registering, call, 0)), {
      compresses: true,
    }),
    route(getEvents, async (call, held) => {
      const { state, viewer, params } = call;
      if (params.queueId === undefined) {
        if (!params.dontBlock) throw new ApiError(errors.missingParameter, { name: "queue_id" });
        const { queueId } = await registerFor(registering, call, params.lifespanSecs ?? 0);
        return held.send(`{"result":"success","msg":"","events":[],"queue_id":"${queueId}"}`);
      }
      if (params.lastEventId === undefined)
        throw new ApiError(errors.missingParameter, { name: "last_event_id" });
      const answer = (deliveries: readonly Delivery[]) => held.send(bodies.write(deliveries, queueId));
      const queueId = params.queueId;
      const isInSession = viewer.credential?.kind === "session";
      const dontBlock = params.dontBlock ?? false;
      const request = { queueId, lastEventId: params.lastEventId, dontBlock, isInSession };
      const queue = await queues.poll(state, viewer.user.id, request, answer);
      if (queue.held !== answer) return;
      held.onEnd((isStopping) => (isStopping ? queue.release() : queues.abandon(state, queue, answer)));
    }),
    route(deleteQueue, async ({ state, viewer, params }) => {
      await queues.remove(state, viewer.user.id, params.queueId);
      return {};
    }),
  ];
}

/** `lifespanSeconds` counts where the call has no `queue_lifespan_secs`. */
async function registerFor(
  { queues, sections, rules }: Registering,
  call: RegisterCall,
  lifespanSeconds: number,
): Promise<Registration> {
  const { state, viewer, params } = call;
  checkRegistration(rules, call);
  const lifespan = params.queueLifespanSecs ?? lifespanSeconds;
  return register(state, queues, sections, {
    viewer,
    options: { ...optionsOf(rules, call), ...(await defaultsFor(rules, call)) },
    fetchEventTypes: withServiceNames(params.fetchEventTypes ?? params.eventTypes ?? null),
    botsOfOwner: botsLike(call),
    lifespanSeconds: Math.min(Math.max(lifespan, DEFAULT_LIFESPAN_SECONDS), MAX_LIFESPAN_SECONDS),
    presenceHistoryLimitDays: params.presenceHistoryLimitDays ?? 14,
    baseUrl: call.baseUrl,
  });
}

/** For a bot with an owner: all bots of this person. */
function botsLike({ state, viewer }: RegisterCall): (() => UserId[]) | undefined {
  const ownerId = viewer?.user.botOwnerId ?? null;
  if (ownerId === null) return undefined;
  return () => [...state.get(users).all()].filter((user) => user.botOwnerId === ownerId).map(({ id }) => id);
}

/** The bot's defaults of what the call leaves open. */
async function defaultsFor(
  rules: QueueRules,
  { viewer, params }: RegisterCall,
): Promise<Partial<QueueOptions>> {
  if (!viewer || viewer.user.botType === null) return {};
  const { narrow, allPublicStreams } = await rules.defaultsOf(viewer);
  const isOpen = allPublicStreams && rules.canHearAllPublic(viewer);
  return {
    ...((params.narrow ?? []).length === 0 && { narrow }),
    ...(params.allPublicStreams === undefined && { allPublicStreams: isOpen }),
  };
}

function checkRegistration(rules: QueueRules, { viewer, params }: RegisterCall): void {
  if (!viewer) {
    if (params.clientGravatar) throw new ApiError(errors.spectatorGravatar);
    if (params.includeSubscribers) throw new ApiError(errors.spectatorSubscribers);
  }
  if (params.allPublicStreams && !(viewer && rules.canHearAllPublic(viewer))) {
    throw new ApiError(errors.queryNotAuthorized);
  }
  for (const [operator] of params.narrow ?? []) {
    if (operator === undefined || !rules.narrowOperators.has(operator)) {
      throw new ApiError(errors.eventNarrowOperator, { operator: String(operator) });
    }
  }
  if (params.narrow && Buffer.byteLength(JSON.stringify(params.narrow)) > MAX_NARROW_BYTES) {
    throw new ApiError(errors.narrowTooLong, { limit: MAX_NARROW_BYTES });
  }
}

function optionsOf(rules: QueueRules, { state, viewer, params }: RegisterCall): QueueOptions {
  return {
    eventTypes: params.eventTypes ? knownTypes(params.eventTypes) : null,
    narrow: rules.withChannelIds(
      state,
      (params.narrow ?? []).map(([operator = "", operand = ""]): [string, string] => [operator, operand]),
    ),
    allPublicStreams: params.allPublicStreams ?? false,
    applyMarkdown: params.applyMarkdown ?? false,
    clientGravatar: params.clientGravatar ?? viewer !== undefined,
    slimPresence: params.slimPresence ?? false,
    includeSubscribers:
      params.includeSubscribers === "partial" ? "partial" : params.includeSubscribers ? "true" : "false",
    capabilities: knownCapabilities(params.clientCapabilities ?? {}),
    sessionId: sessionOf(viewer),
  };
}

function sessionOf(viewer: Viewer | undefined): number | undefined {
  const credential = viewer?.credential;
  return credential?.kind === "API key" ? 0 : credential?.id;
}

const eventTypes = new Set(events.map(({ type }) => type));

/** A queue is kept for long, in memory and as a row, so it keeps no types that no event has. */
function knownTypes(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => eventTypes.has(name));
}

/** A capability that the client does not name counts as false. */
function knownCapabilities(given: Readonly<Record<string, boolean>>): Record<string, boolean> {
  return Object.fromEntries(capabilityNames.map((name) => [name, given[name] === true]));
}

/** COMPAT: older clients say `zulip_version` where the spec has `service_version`. */
function withServiceNames(names: readonly string[] | null): string[] | null {
  return names?.map((name) => name.replace(/^zulip_/, "service_")) ?? null;
}

function presentRegistration({ queueId, lastEventId, fields }: Registration) {
  return {
    ...fields,
    queue_id: queueId,
    last_event_id: lastEventId,
    ...versions,
  };
}
