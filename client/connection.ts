import type { TProperties } from "typebox";
import type { CallerParameters, Endpoint, Parameter, Parameters, Reply } from "../api/endpoint.ts";
import { Backoff, wait } from "./backoff.ts";
import { CallError } from "./call-error.ts";

export interface ConnectionOptions {
  /** The server's address, such as `https://chat.example.com`; empty for the page's own server. */
  site: string;
  /** Without credentials, only public endpoints can be called. */
  credentials?: { email: string; apiKey: string };
  /** The client's name and version, as `Name/1.0`. Browsers do not allow setting it. */
  userAgent?: string;
  /** How long a call may take, unless the call sets its own timeout. */
  timeoutMs?: number;
  /** How often a GET is retried after a temporary failure. Other methods are never retried. */
  retries?: number;
  backoff?: { firstMs?: number; longestMs?: number };
}

export interface CallOptions {
  /** Cancels the call, which then rejects with the signal's reason, not with a CallError. */
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
}

/** The result of a successful call: the declared fields, and the parameters that the server did not know. */
export type Answer<R extends TProperties> = Reply<R> & { ignored_parameters_unsupported?: string[] };

/**
 * Calls endpoints by their declarations: parameters and replies have the types of the contract. A failed call
 * rejects with a `CallError`. A call that changes something is never retried, since a lost response does not
 * say whether the change was made.
 */
export class Connection {
  readonly #root: string;
  readonly #headers: Record<string, string>;
  readonly #timeoutMs: number;
  readonly #retries: number;
  readonly #backoff: ConnectionOptions["backoff"];

  constructor(options: ConnectionOptions) {
    this.#root = `${options.site.replace(/\/+$/, "")}/api/v1`;
    this.#headers = {
      ...(options.credentials ? { Authorization: basicAuthorization(options.credentials) } : {}),
      ...(options.userAgent ? { "User-Agent": options.userAgent } : {}),
    };
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#retries = options.retries ?? 2;
    this.#backoff = options.backoff;
  }

  async call<P extends Parameters, R extends TProperties>(
    // biome-ignore lint/suspicious/noExplicitAny: who may call does not matter to the types of a call.
    endpoint: Endpoint<P, R, any>,
    parameters: CallerParameters<P>,
    options: CallOptions = {},
  ): Promise<Answer<R>> {
    const backoff = new Backoff(this.#backoff);
    let left = endpoint.method === "GET" ? (options.retries ?? this.#retries) : 0;
    for (;;) {
      try {
        return (await this.#attempt(endpoint as unknown as Endpoint, parameters, options)) as Answer<R>;
      } catch (error) {
        if (!(error instanceof CallError) || !error.isPassing || left-- === 0) throw error;
        await wait(Math.max(backoff.nextMs(), error.retryAfterMs ?? 0), options.signal);
      }
    }
  }

  async #attempt(
    endpoint: Endpoint,
    parameters: Record<string, unknown>,
    options: CallOptions,
  ): Promise<unknown> {
    const { path, form } = encodeCall(endpoint, parameters);
    const inQuery = endpoint.method === "GET" && form.size > 0;
    const url = `${this.#root}${path}${inQuery ? `?${form}` : ""}`;
    const deadline = new Deadline(options.timeoutMs ?? this.#timeoutMs, options.signal);
    const body = endpoint.method === "GET" ? undefined : form;
    try {
      const init = { method: endpoint.method, headers: this.#headers, signal: deadline.signal, body };
      const response = await fetch(url, init);
      return readAnswer(endpoint, response.status, await response.text());
    } catch (error) {
      if (error instanceof CallError) throw error;
      options.signal?.throwIfAborted();
      const message = deadline.hasPassed
        ? "The server did not answer in time."
        : "The server can't be reached.";
      throw new CallError(endpoint.name, { kind: "network", timedOut: deadline.hasPassed }, message, error);
    } finally {
      deadline.end();
    }
  }
}

/**
 * Aborts after a time or with the caller's signal. It leaves no listener on a signal that outlives many
 * calls.
 */
class Deadline {
  hasPassed = false;
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #outer: AbortSignal | undefined;
  readonly #abort = () => this.#controller.abort(this.#outer?.reason);

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#outer = outer;
    this.#timer = setTimeout(() => {
      this.hasPassed = true;
      this.#controller.abort();
    }, timeoutMs);
    if (outer?.aborted) this.#abort();
    else outer?.addEventListener("abort", this.#abort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#abort);
  }
}

/** The path and the form of a call, each parameter written as its declaration says (spec Conventions 2). */
function encodeCall(
  endpoint: Endpoint,
  parameters: Record<string, unknown>,
): { path: string; form: URLSearchParams } {
  const form = new URLSearchParams();
  let path = endpoint.path;
  for (const [name, parameter] of Object.entries(endpoint.parameters)) {
    const value = parameters[name];
    if (value === undefined) continue;
    const text = encodeValue(parameter, value);
    if (parameter.inPath) path = path.replace(`{${name}}`, () => encodeURIComponent(text));
    else form.append(name, text);
  }
  return { path, form };
}

function encodeValue(parameter: Parameter, value: unknown): string {
  if (typeof value === "string" && parameter.encoding === "text") return value;
  if (typeof value === "string" && parameter.encoding === "either" && !isJson(value)) return value;
  return JSON.stringify(value);
}

/** Where both types are allowed, the server would read a text such as `123` as a number. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readAnswer(endpoint: Endpoint, status: number, text: string): unknown {
  const body = parseObject(text);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && body?.result === "success") {
    const { result, msg, ...fields } = body;
    return fields;
  }
  if (!isSuccess && body?.result === "error" && typeof body.msg === "string") {
    const { result, msg, code, ...fields } = body;
    const known = typeof code === "string" ? code : undefined;
    throw new CallError(endpoint.name, { kind: "api", status, code: known, fields }, body.msg);
  }
  if (isSuccess) {
    throw new CallError(
      endpoint.name,
      { kind: "malformed", status },
      "The server's answer can't be understood.",
    );
  }
  throw new CallError(endpoint.name, { kind: "http", status }, `The server answered with status ${status}.`);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function basicAuthorization({ email, apiKey }: { email: string; apiKey: string }): string {
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
