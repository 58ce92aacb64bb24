import type { FastifyInstance, InjectOptions } from "fastify";
import { onTestFinished } from "vitest";
import { createHttp, type HttpOptions } from "../../server/platform/http/app.ts";
import { authorization, type Person, type Toys, toys } from "./toy-api.ts";

type Answer = Awaited<ReturnType<FastifyInstance["inject"]>>;

export interface ToyServer {
  all: Toys;
  /** Calls without a socket, as the person `as` if it is given. */
  call(method: string, path: string, more?: InjectOptions & { as?: Person }): Promise<Answer>;
}

/** A server of toys for one test. It is closed when that test ends. */
export async function startToyServer(change: Partial<HttpOptions> = {}): Promise<ToyServer> {
  const all = toys(change);
  const app = await createHttp(all.options);
  onTestFinished(() => app.close());
  return {
    all,
    call(method, path, { as, headers, ...rest } = {}) {
      return app.inject({
        method: method as "GET",
        url: path,
        headers: { host: "toy.test", ...(as && { authorization: authorization(as) }), ...headers },
        ...rest,
      });
    },
  };
}

export function body(answer: { body: string }): Record<string, unknown> {
  return JSON.parse(answer.body) as Record<string, unknown>;
}
