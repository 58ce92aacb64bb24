/** A client in the network of people: it knows the host name, and comes through the proxy. */
import { readFileSync } from "node:fs";
import type { ClientRequest, IncomingHttpHeaders } from "node:http";
import https from "node:https";
import { HOST } from "./programs.ts";

/** Not the proxy's own address, so that what the proxy says of it counts. */
export const ADDRESS = "127.0.0.2";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Sent {
  headers?: Record<string, string>;
  body?: Buffer | string;
}

export class ProxyClient {
  readonly #port: number;
  readonly #ca: Buffer;

  constructor(port: number, certificate: string) {
    this.#port = port;
    this.#ca = readFileSync(certificate);
  }

  async ask(method: string, target: string, { headers = {}, body = "" }: Sent = {}): Promise<Answer> {
    const request = this.open(method, target, { "content-length": `${Buffer.byteLength(body)}`, ...headers });
    const answer = answerOf(request);
    request.end(body);
    return answer;
  }

  /** A request whose body the caller sends. */
  open(method: string, target: string, headers: Record<string, string>): ClientRequest {
    return https.request({
      host: "127.0.0.1",
      port: this.#port,
      localAddress: ADDRESS,
      servername: HOST,
      ca: this.#ca,
      agent: false,
      method,
      path: target,
      headers: { host: HOST, ...headers },
    });
  }
}

function answerOf(request: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.once("error", reject);
      response.once("end", () =>
        resolve({ status: response.statusCode as number, headers: response.headers, body }),
      );
    });
  });
}
