import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** How many calls may wait on one connection behind the one under way. Most clients do not pipeline. */
const MAX_WAITING = 32;

/**
 * Serves pipelined calls of one connection one after another. Each starts when the client has taken the
 * previous response. If all started at once, all their responses would be written, and a client that never
 * reads would fill the memory with them. The connection is closed when too many calls wait.
 */
export function answerInOrder(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  app.addHook("onRequest", (request, reply, done) => {
    // Node assigns the socket to a response when the previous response is sent.
    if (reply.raw.socket !== null) return done();
    const { socket } = request.raw;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    reply.raw.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) as number) - 1);
      done();
    });
  });
}
