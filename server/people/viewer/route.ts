import type { Call as PlatformCall } from "../../platform/http/handler.ts";
import { routeFor } from "../../platform/http/handler.ts";
import type { Viewer } from "./viewer.ts";

export type Call<P, V = Viewer> = PlatformCall<P, V>;

/** Binds an endpoint to its handler, which gets the viewer. */
export const route = routeFor<Viewer>();
