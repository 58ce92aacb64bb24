/**
 * `/health` and `/ready`, for supervisors, load balancers and monitors. `/health` is about this process
 * alone, for what restarts a process that does not answer: a restart brings no database back. `/ready` is for
 * what decides where requests go.
 */
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import { ASKED_HOST_HEADER, answerInstallation, INSTALLATION_HEADER } from "../crypto/installation-proof.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { securityHeaders } from "./answer.ts";
import type { HttpStats } from "./http-stats.ts";
import type { InFlight } from "./in-flight.ts";
import { RateLimiter, type RateLimits } from "./rate-limit.ts";

export interface HealthOptions {
  /** Why requests can't be served now, in one word. undefined: they can be. */
  whyNotReady(): Promise<string | undefined>;
  rateLimits?: RateLimits | undefined;
  /** By which the operator's commands learn whose server answers at an address. */
  keyring?: Pick<Keyring, "hash"> | undefined;
}

/** Monitors of many services ask from one address, and may ask every second. */
const CALLS = 10;
/** A flood of requests must not be a flood of queries. */
const SHARED_MS = 1000;
/** Probes of other programs wait for a second, and then do not learn the reason. */
const ANSWER_MS = 900;

export function addHealthRoutes(
  app: FastifyInstance,
  inFlight: InFlight,
  stats: HttpStats,
  options: HealthOptions,
): void {
  const { rateLimits, keyring } = options;
  const limiter = rateLimits && new RateLimiter({ ...rateLimits, perAddress: CALLS * rateLimits.perAddress });
  const readiness = sharedReadiness(options);
  const add = (url: string, check: () => Health | Promise<Health>) =>
    app.route({
      method: ["GET", "HEAD"],
      url,
      handler: async (request, reply) => {
        reply.headers({ ...securityHeaders, "Cache-Control": "no-store" });
        if (limiter && limiter.countAddress(request.ip).remaining < 0) return refuse(limiter, reply, stats);
        const question = request.headers[INSTALLATION_HEADER.toLowerCase()];
        const known = keyring && answerInstallation(keyring, question, askedHost(request.raw));
        if (known)
          reply.headers({ [INSTALLATION_HEADER]: known.answer, [ASKED_HOST_HEADER]: known.hostAnswer });
        const health = inFlight.isStopping ? STOPPING : await check();
        if (health.status !== "ok") {
          stats.countError(503);
          reply.code(503).header("Retry-After", "1");
        }
        return health;
      },
    });
  add("/health", () => OK);
  add("/ready", readiness);
}

interface Health {
  status: "ok" | "stopping" | "unavailable";
  reason?: string;
}
const OK: Health = { status: "ok" };
const STOPPING: Health = { status: "stopping" };

function refuse(limiter: RateLimiter, reply: FastifyReply, stats: HttpStats): { status: string } {
  stats.countError(429);
  const { retryAfter } = limiter.refusal().data;
  reply.code(429).header("Retry-After", String(Math.ceil(retryAfter)));
  return { status: "too many requests" };
}

/** Callers within a second share one check, whatever it finds. */
function sharedReadiness({ whyNotReady }: HealthOptions): () => Promise<Health> {
  let last: Promise<Health> | undefined;
  let endsAt = 0;
  const check = async (): Promise<Health> => {
    try {
      const reason = await withinTime(whyNotReady());
      return reason === undefined ? OK : { status: "unavailable", reason };
    } finally {
      endsAt = Date.now() + SHARED_MS;
    }
  };
  return () => {
    if (last && Date.now() < endsAt) return last;
    // Until the check ends, all who ask wait for it.
    endsAt = Infinity;
    last = check();
    return last;
  };
}

/** What is late is what stands still: the database is asked, and everything else is known. */
async function withinTime(check: Promise<string | undefined>): Promise<string | undefined> {
  const end = new AbortController();
  const late = sleep(ANSWER_MS, "database", { signal: end.signal }).catch(() => undefined);
  try {
    return await Promise.race([check, late]);
  } catch {
    return "database";
  } finally {
    end.abort();
  }
}

/** As the header has it: what a proxy says of another name must not hide that it changed this one. */
function askedHost({ headers }: IncomingMessage): string {
  return (headers.host ?? "").toLowerCase().replace(/:\d+$/, "");
}
