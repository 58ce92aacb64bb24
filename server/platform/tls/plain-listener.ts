/**
 * Plain http beside https: it answers the certificate authority, and leads people to their address. Nothing
 * else is served there.
 */
import { createServer, type Server } from "node:http";

const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{1,200})$/;
const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 1000;
const MAX_TARGET = 4096;

/**
 * Resolves when it listens. Rejects like `server.listen`, with the setting that names the port. `guard`
 * bounds the connections of one address: the authority needs room, or the certificate is not renewed.
 */
export function listenPlain(
  { host, port }: { host: string; port: number },
  publicUrl: string,
  tokens: ReadonlyMap<string, string>,
  guard: (server: Server) => void,
): Promise<Server> {
  const server = createServer(
    { headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_MS },
    (request, response) => {
      const target = request.url ?? "/";
      const token = CHALLENGE.exec(target)?.[1];
      const answer = token === undefined ? undefined : tokens.get(token);
      if (answer !== undefined) {
        response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(answer);
      } else if (token !== undefined) {
        response.writeHead(404, { "Content-Type": "text/plain" }).end("There is no such token.\n");
      } else {
        // Always to the operator's own address: the Host header is anybody's.
        const path = target.startsWith("/") && target.length <= MAX_TARGET ? target : "/";
        response.writeHead(308, { Location: `${publicUrl}${path}`, Connection: "close" }).end();
      }
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  guard(server);
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(Object.assign(error, { setting: "PARLEY_HTTP_PORT" })));
    server.listen(port, host, () => resolve(server));
  });
}
