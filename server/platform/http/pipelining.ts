import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** What one connection may have waiting behind the call that is under way. Programs send one call after another. */
const MAX_WAITING = 32;

/**
 * Calls that come on one connection before the earlier ones are answered begin in turn, each when the answer before it
 * has been taken. Begun at once they would all have their answers written, and a caller that never reads would
 * have as many of them kept in memory as it cared to ask for. Who sends ever more is cut off.
 */
export function answerInOrder(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  app.addHook("onRequest", (request, reply, done) => {
    // Node gives an answer its socket when the one before it is out.
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
