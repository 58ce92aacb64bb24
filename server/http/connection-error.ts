import type { Socket } from "node:net";
import type { ConnectionError } from "fastify";
import { ApiError, errors } from "../../api/errors.ts";
import { writeObject } from "../events/raw-json.ts";

/**
 * Answers what never became a request: broken HTTP, headers without an end, a body that does not come. There is no
 * response object yet, so the answer is written by hand, and the connection ends.
 */
export function answerConnectionError(error: ConnectionError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = statusOf(error);
  const body = `${writeObject({ result: "error", msg: message, code: "BAD_REQUEST" })}\n`;
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  );
  // Whoever goes on sending must not keep the socket.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

const LINGER_MS = 1000;
const NEWLINE = 10;

function statusOf({ code, rawPacket }: ConnectionError): [status: string, message: string] {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return ["408 Request Timeout", "The request did not come in time."];
    case "HPE_HEADER_OVERFLOW":
      // One line longer than everything may be is the request line, or as good as.
      return rawPacket && !(rawPacket as unknown as Buffer).includes(NEWLINE)
        ? ["414 URI Too Long", new ApiError(errors.addressTooLong).message]
        : ["431 Request Header Fields Too Large", "The request's headers are too large."];
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return ["413 Payload Too Large", new ApiError(errors.bodyTooLarge).message];
    default:
      return ["400 Bad Request", "The request is not valid HTTP."];
  }
}
