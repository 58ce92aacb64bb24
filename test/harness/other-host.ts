import http from "node:http";
import type { AddressInfo } from "node:net";

export type Reply = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A web server of somebody else, at 127.0.0.1, which answers each path as a test wants. */
export class OtherHost {
  readonly #server: http.Server;
  readonly #replies = new Map<string, Reply>();
  /** The paths that were asked for, newest last. */
  readonly asked: string[] = [];

  private constructor() {
    this.#server = http.createServer((request, response) => {
      const path = (request.url ?? "").replace(/\?.*$/, "");
      this.asked.push(path);
      const reply = this.#replies.get(path);
      if (reply) reply(request, response);
      else response.writeHead(404).end();
    });
  }

  static async start(): Promise<OtherHost> {
    const host = new OtherHost();
    await new Promise<void>((resolve) => host.#server.listen(0, "127.0.0.1", resolve));
    return host;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  on(path: string, reply: Reply): string {
    this.#replies.set(path, reply);
    return this.url(path);
  }

  /** Serves these bytes. */
  serve(
    path: string,
    contentType: string,
    body: Buffer | string,
    headers: http.OutgoingHttpHeaders = {},
  ): string {
    return this.on(path, (_, response) => {
      response.writeHead(200, { "content-type": contentType, ...headers }).end(body);
    });
  }

  page(path: string, head: string): string {
    return this.serve(path, "text/html", `<!doctype html><head>${head}</head><body>text</body>`);
  }

  redirect(path: string, to: string, status = 302): string {
    return this.on(path, (_, response) => {
      response.writeHead(status, { location: to }).end();
    });
  }

  /** Sends pieces of a body as long as somebody reads them. */
  drip(path: string, contentType: string, piece: Buffer, everyMs: number): string {
    return this.on(path, (_, response) => {
      response.writeHead(200, { "content-type": contentType });
      const timer = setInterval(() => response.write(piece), everyMs);
      response.on("close", () => clearInterval(timer));
    });
  }

  /** How often a path was asked for. */
  count(path: string): number {
    return this.asked.filter((each) => each === path).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
