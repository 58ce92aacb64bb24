import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionError } from "fastify";
import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { writeObject } from "../std/raw-json.ts";
import { isDroppingRest } from "./unread-body.ts";

/**
 * Answers input that never became a request: broken HTTP, headers without an end, a body that does not
 * arrive. There is no response object then, so the response is written directly to the socket. The connection
 * is closed. A request that was refused early has its response already.
 */
export function answerConnectionError(error: ConnectionError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable || isDroppingRest(socket)) {
    socket.destroy();
    return;
  }
  const declared = errorOf(error);
  const { status, code } = declared;
  const body = `${writeObject({ result: "error", msg: new ApiError(declared).message, code })}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  );
  // A client that goes on sending must not keep the socket open.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

const LINGER_MS = 1000;
const NEWLINE = 10;

function errorOf({ code, rawPacket }: ConnectionError): ErrorDeclaration {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return errors.requestTimeout;
    case "HPE_HEADER_OVERFLOW":
      // One line that is longer than the limit for all headers is almost certainly the request line.
      return rawPacket && !(rawPacket as unknown as Buffer).includes(NEWLINE)
        ? errors.addressTooLong
        : errors.headersTooLarge;
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return errors.bodyTooLarge;
    default:
      return errors.invalidHttp;
  }
}
