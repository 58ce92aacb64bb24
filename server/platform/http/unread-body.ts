/**
 * Responses to requests whose body was not read, because the head alone was refused or the body is too large.
 *
 * Many clients send all of a request before they look at the response. If the connection were closed
 * meanwhile, the kernel would reset it, and the client would lose the error. So the response is written at
 * once, and the rest of the body is read and dropped for a while before the connection is closed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** After a rest of at most this length the connection can be used again. */
const SHORT_REST_BYTES = 64 * 1024;
/** How much of a longer rest is read, and for how long. */
const MAX_DROPPED_BYTES = 16 * 1024 * 1024;
const MAX_DROPPING_MS = 2000;

/** Connections whose response is written while their request still arrives. */
const dropping = new WeakSet<Socket>();

/** Whether the connection has to be closed because much of the body, or an unknown amount, is to come. */
export function hasLongRest(request: IncomingMessage): boolean {
  const { headers } = request;
  const length = headers["content-length"];
  if (length === undefined && headers["transfer-encoding"] === undefined) return false;
  return !request.readableEnded && !(Number(length) <= SHORT_REST_BYTES);
}

/** Whether a response to this connection's last request is written already, while its body arrives. */
export function isDroppingRest(socket: Socket): boolean {
  return dropping.has(socket);
}

/** Calls `then` once, when the rest has been read, or there was too much of it. */
export function dropRest(request: IncomingMessage, then: () => void): void {
  let left = MAX_DROPPED_BYTES;
  const take = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) end();
  };
  const end = (): void => {
    clearTimeout(timer);
    request.off("data", take).off("end", end).off("close", end);
    then();
  };
  const timer = setTimeout(end, MAX_DROPPING_MS);
  dropping.add(request.socket);
  request.on("data", take).on("end", end).on("close", end);
}

/** Ends a response of which everything is written, but after the rest of the request. */
export function endAfterRest(response: ServerResponse): void {
  dropRest(response.req, () => response.end());
}
