import type { TProperties } from "typebox";
import type { CallerParameters, Endpoint, Parameters, Reply } from "../../../api/endpoint.ts";
import { RawJson, writeObject } from "../std/raw-json.ts";
import { Decoder } from "./decode.ts";
import { type Call, neverHeld, type Route } from "./handler.ts";
import { JsonFields } from "./json-body.ts";
import { checkRole } from "./operation.ts";

interface Known {
  route: Route;
  decoder: Decoder;
}

/**
 * Calls of the API's endpoints by the server itself, in the name of a caller who was admitted. The role, the
 * parameters and everything behind them are checked as for a request. Rate limits are not, since the request
 * that led here was counted.
 */
export class LocalCalls {
  readonly #routes = new Map<string, Known>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const { name, parameters } = route.endpoint;
      this.#routes.set(name, { route, decoder: new Decoder(parameters) });
    }
  }

  /** Throws what the endpoint would respond with. An endpoint that holds its response can't be called. */
  async call<P extends Parameters, R extends TProperties>(
    { name, path, access, proof }: Endpoint<P, R>,
    parameters: CallerParameters<P>,
    from: Call<unknown>,
  ): Promise<Reply<R>> {
    const { route, decoder } = this.#routes.get(name) as Known;
    if (proof) throw new Error(`${name} needs a proof, which only a request can bring`);
    checkRole(access, from.viewer);
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
    const inPath = given.filter(([parameter]) => path.includes(`{${parameter}}`));
    const { params } = decoder.decode(
      Object.fromEntries(inPath.map(([parameter, value]) => [parameter, String(value)])),
      undefined,
      new JsonFields(new Map(given.filter((each) => !inPath.includes(each)))),
    );
    const reply = await route.handle({ ...from, params }, neverHeld);
    return plain(reply as object) as Reply<R>;
  }
}

/** The reply as a client would read it, where parts of it are serialized already. */
function plain(reply: object): object {
  if (!Object.values(reply).some((value) => value instanceof RawJson)) return reply;
  return JSON.parse(writeObject(reply as Record<string, unknown>));
}
