/**
 * The baseline: node:http and nothing else. A POST is read and answered with a number, and it answers the
 * held requests. A GET is held, unless its `last_event_id` is older than the newest number. So it does
 * the least work that an event server must do, and stores nothing.
 */
import { createServer, type ServerResponse } from "node:http";

export interface Holding {
  ask: "hold";
  /** Answers held requests as soon as there are this many, without a POST. 0: only on a POST. */
  releaseAt: number;
  /** The text of an answer to a held request, with `"id":0` where the number belongs. */
  text: string;
}

let held: ServerResponse[] = [];
let newest = 0;
let releaseAt = 0;
let parts: [string, string] = ['{"result":"success","msg":"","events":[],"id":', "}\n"];

const server = createServer((request, response) => {
  if (request.method === "GET") {
    if (isBehind(request.url as string)) {
      answer(response, newestText());
      return;
    }
    held.push(response);
    if (held.length === releaseAt) release();
    return;
  }
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    newest++;
    release();
    answer(response, `{"result":"success","msg":"","length":${body.length},"id":${newest}}\n`);
  });
});

function isBehind(url: string): boolean {
  if (releaseAt > 0) return false;
  const last = Number(/last_event_id=(-?\d+)/.exec(url)?.[1] ?? -1);
  return last >= 0 && last < newest;
}

function newestText(): string {
  return `${parts[0]}${newest}${parts[1]}`;
}

function release(): void {
  if (held.length === 0) return;
  const text = newestText();
  const waiting = held;
  held = [];
  for (const response of waiting) answer(response, text);
}

function answer(response: ServerResponse, json: string): void {
  response.writeHead(200, ["Content-Type", "application/json", "Content-Length", String(json.length)]);
  response.end(json);
}

server.requestTimeout = 0;
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  process.send?.({ port: (server.address() as { port: number }).port });
});

process.on("message", (message: { ask: "memory" } | { ask: "used" } | Holding) => {
  if (message.ask === "used") {
    const { user, system } = process.cpuUsage();
    process.send?.({ nodeSeconds: (user + system) / 1e6 });
  } else if (message.ask === "memory") {
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, rss, external } = process.memoryUsage();
    process.send?.({ heapUsed, rss, external, held: held.length });
  } else {
    releaseAt = message.releaseAt;
    const at = message.text.indexOf('"id":0') + '"id":'.length;
    parts = [message.text.slice(0, at), message.text.slice(at + 1)];
    held = [];
    process.send?.({});
  }
});
process.on("disconnect", () => process.exit(0));
