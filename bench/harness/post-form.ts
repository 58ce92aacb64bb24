/** A form posted from a network of its own, as many people or attackers at once send them. */
import { type Agent, request } from "node:http";

export interface FormPost {
  port: number;
  path: string;
  /** An address of the loopback network, which the server takes for the network of the sender. */
  localAddress: string;
  fields: Record<string, string>;
  headers?: Record<string, string>;
  agent?: Agent;
}

export interface FormAnswer {
  status: number;
  /** In seconds, as the server asks for; 1 if it doesn't say. */
  retryAfter: number;
}

/** The answer's body is thrown away. Rejects when the connection fails. */
export function postForm({ fields, headers, ...to }: FormPost): Promise<FormAnswer> {
  const body = new URLSearchParams(fields).toString();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        ...to,
        method: "POST",
        headers: {
          host: "localhost",
          "content-type": "application/x-www-form-urlencoded",
          "content-length": Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) => {
        response.resume();
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: Number(response.headers["retry-after"] ?? 1),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
