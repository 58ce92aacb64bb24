import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as a server receives it: the fields of query and body together. */
export interface Received {
  method: string;
  path: string;
  fields: Record<string, string>;
  request: IncomingMessage;
  response: ServerResponse;
}

export interface TestServer {
  site: string;
  received: Received[];
  close(): Promise<void>;
}

/** A small server on the loopback that replies with `respond` and remembers its requests. */
export async function startTestServer(respond: (received: Received) => void): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? "/", "http://test");
    const fields = Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)]);
    const one = { method: request.method ?? "", path: url.pathname, fields, request, response };
    received.push(one);
    respond(one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    site: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function answer({ response }: Received, body: Record<string, unknown>, status = 200): void {
  const whole = { result: status === 200 ? "success" : "error", msg: status === 200 ? "" : "No.", ...body };
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(whole));
}
