import { Agent, request } from "node:http";

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely.
export type Json = any;

/** What became of a request: an answer, or the certainty that nobody got it, or neither. */
export type Outcome =
  | { kind: "answer"; status: number; body: Json }
  | { kind: "refused" }
  | { kind: "broken" };

export interface Account {
  userId: number;
  email: string;
  /** The Authorization header. */
  authorization: string;
}

/** More than a held poll lasts. */
const TIMEOUT_MS = 90_000;
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/**
 * One call of the API. Nothing is tried again: whether a call that broke was carried out is the question
 * here.
 */
export function ask(
  url: string | undefined,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  address: string,
  params: Record<string, unknown>,
  { account, signal }: { account?: Account; signal?: AbortSignal } = {},
): Promise<Outcome> {
  if (url === undefined) return Promise.resolve({ kind: "refused" });
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const body = method === "GET" ? undefined : form.toString();
  const target = `${url}/api/v1${address}${method === "GET" ? `?${form}` : ""}`;
  return new Promise((resolve, reject) => {
    const req = request(target, {
      agent,
      method,
      timeout: TIMEOUT_MS,
      ...(signal && { signal }),
      headers: {
        ...(account && { authorization: account.authorization }),
        ...(body !== undefined && {
          "content-type": "application/x-www-form-urlencoded",
          "content-length": Buffer.byteLength(body),
        }),
      },
    });
    req.on("timeout", () => req.destroy());
    req.on("error", (error: NodeJS.ErrnoException) => {
      resolve({ kind: error.code === "ECONNREFUSED" ? "refused" : "broken" });
    });
    req.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("close", () => {
        if (!response.complete) return resolve({ kind: "broken" });
        const text = Buffer.concat(chunks).toString();
        if (/\\n\s+at /.test(text)) return reject(new Error(`${method} ${address} got a stack: ${text}`));
        try {
          resolve({ kind: "answer", status: response.statusCode ?? 0, body: JSON.parse(text) });
        } catch {
          reject(new Error(`${method} ${address} got ${response.statusCode}: ${text.slice(0, 200)}`));
        }
      });
    });
    req.end(body);
  });
}

/** A call that has to succeed. */
export async function demand(...call: Parameters<typeof ask>): Promise<Json> {
  const outcome = await ask(...call);
  if (outcome.kind === "answer" && outcome.status === 200) return outcome.body;
  throw new Error(`${call[1]} ${call[2]}: ${JSON.stringify(outcome)}`);
}
