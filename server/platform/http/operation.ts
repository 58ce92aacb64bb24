import type { ServerResponse } from "node:http";
import type { Access, FileLimits } from "../../../api/endpoint.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import type { AnswerHead } from "./answer.ts";
import { MAX_BODY_BYTES } from "./body.ts";
import type { Caller } from "./caller.ts";
import { type Decoder, decoderOf } from "./decode.ts";
import type { Route } from "./handler.ts";
import type { CallStats, HttpStats } from "./http-stats.ts";
import { type CheckProof, withProof } from "./proof.ts";

/** A route that is ready to be called, with everything that can be computed from its declaration. */
export interface Operation {
  name: string;
  access: Access;
  handle: Route["handle"];
  decoder: Pick<Decoder, "decode">;
  /** Whether accounts that can only send messages may call it. */
  isForWriteOnly: boolean;
  /** Whether people may call it who must set up a second step first. */
  isForSecondStepSetup: boolean;
  holds: boolean;
  /** See `Route`. */
  compresses: boolean;
  /** Whether its requests count as those for stored files, of which one page shows many. */
  isStoredFile: boolean;
  /** undefined: files in its requests are ignored. */
  files: FileLimits | undefined;
  isOff: boolean;
  /** Whether it can be called in a deactivated organization. */
  outlivesOrganization: boolean;
  /** See `Route`. */
  isCheckedAtCommit: boolean;
  /** Whether its handler changes anything. */
  changes: boolean;
  readsRawBody: boolean;
  /** Whether its handler reads the body as it arrives. */
  streamsBody: boolean;
  takesKeyInQuery: boolean;
  /** Whether an API key alone, as `Bearer`, identifies the caller. */
  takesBearer: boolean;
  /** Whether the cookie of a session identifies the caller. */
  takesCookie: boolean;
  /** Whether the response sets that cookie for a caller who may have none. */
  startsSession: boolean;
  /** Headers of every response, if it speaks another protocol. */
  protocolHeaders?: readonly string[];
  /** Writes a refusal in another form than that of the API. False: it is none that needs it. */
  refuse?: (res: ServerResponse, error: ApiError<never>, head: AnswerHead) => boolean;
  /** The limit for a caller with an account. */
  maxBodyBytes: number;
  stats: CallStats;
}

interface OperationOptions {
  isDevelopment: boolean;
  stats: HttpStats;
  checkProof: CheckProof | undefined;
}

export function operationOf(route: Route, { isDevelopment, stats, checkProof }: OperationOptions): Operation {
  const { endpoint, isCheckedAtCommit = false, maxFileBytes } = route;
  return {
    name: endpoint.name,
    access: endpoint.access,
    handle: withProof(route, checkProof),
    decoder: decoderOf(endpoint.parameters),
    isForWriteOnly: endpoint.isForWriteOnlyBots ?? false,
    isForSecondStepSetup: endpoint.isForSecondStepSetup ?? false,
    holds: endpoint.streams ?? false,
    compresses: route.compresses ?? false,
    isStoredFile: false,
    files: endpoint.files && { ...endpoint.files, maxBytes: maxFileBytes ?? endpoint.files.maxBytes },
    isOff: (endpoint.developmentOnly ?? false) && !isDevelopment,
    // The public settings of a deactivated organization can be read, but nobody can sign in to it.
    outlivesOrganization:
      endpoint.access === "anyone" && endpoint.method === "GET" && !endpoint.developmentOnly,
    isCheckedAtCommit,
    changes: endpoint.method !== "GET",
    readsRawBody: endpoint.rawBody ?? false,
    streamsBody: false,
    takesKeyInQuery: endpoint.keyInQuery ?? false,
    takesBearer: false,
    takesCookie: endpoint.keyInQuery !== true,
    startsSession: endpoint.startsSession ?? false,
    maxBodyBytes: MAX_BODY_BYTES,
    stats: stats.callsOf(endpoint.name),
  };
}

/** Throws if the viewer's role is too low (spec Authentication 4). A lower number is a higher role. */
export function checkRole(access: Access, { user }: Caller): void {
  if (access === "member" && user.role >= roles.guest) throw new ApiError(errors.insufficientPermission);
  if (access === "administrator" && user.role > roles.administrator)
    throw new ApiError(errors.mustBeAdministrator);
  if (access === "owner" && user.role > roles.owner) throw new ApiError(errors.mustBeOwner);
}
