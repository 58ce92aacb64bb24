import { Backoff, wait } from "./backoff.ts";
import { CallError, type Failure } from "./call-error.ts";
import type { ApiFailure } from "./contract.ts";
import { ServerClock } from "./server-clock.ts";

export interface ConnectionOptions {
  /** The server's address, such as `https://chat.example.com`; empty for the page's own server. */
  site: string;
  /**
   * Without credentials, only public endpoints can be called. `cookie`: the browser's session with the page's
   * own server, which scripts can't read.
   */
  credentials?: { email: string; apiKey: string } | "cookie";
  /** The client's name and version, as `Name/1.0`. Browsers do not allow setting it. */
  userAgent?: string;
  /** How long one attempt of a call may take, unless the call sets its own timeout; 30 seconds by default. */
  timeoutMs?: number;
  /** How often a call is tried again where that is safe; twice by default. */
  retries?: number;
  backoff?: { firstMs?: number; longestMs?: number };
  /** Makes the requests in place of the global `fetch`. */
  fetch?: Fetch;
  /** Says in the reader's language that there was no response; English by default. */
  describe?: (problem: "timedOut" | "unreachable") => string;
  /** Says in the reader's language what an error of the API means. Empty: the English sentence stays. */
  describeError?: (code: string | undefined, fields: Record<string, string | number>) => string;
}

const ENGLISH = {
  timedOut: "The server did not answer in time.",
  unreachable: "The server can't be reached.",
} as const;

/** The part of the standard `fetch` that is used. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    signal: AbortSignal;
    body: URLSearchParams | FormData | undefined;
  },
) => Promise<{
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

/** A file for an endpoint that takes some. */
export interface FileToSend {
  /** For people, with its ending. */
  name: string;
  content: Blob | Uint8Array;
  /** Such as `image/png`. By default that of the blob. */
  contentType?: string;
}

export interface CallOptions {
  /** Cancels the call, which then rejects with the signal's reason, not with a CallError. */
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  /** Files that go with the parameters. A large one needs a longer timeout. */
  files?: readonly FileToSend[];
}

/** What a call needs to know of an endpoint. In a declaration of `api/`, the example has the types. */
export interface Callable<P extends object = object, R extends object = object> {
  readonly name: string;
  readonly method: string;
  /** Relative to /api/v1, path parameters in braces. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, CallableParameter>>;
  readonly example?: { parameters: P; reply: R };
}

interface CallableParameter {
  readonly encoding: "text" | "json" | "either";
  readonly inPath: boolean;
}

/** The result of a successful call: the declared fields, and the parameters that the server did not know. */
export type Answer<R> = R & { ignored_parameters_unsupported?: string[] };

/** A server that asks for a longer wait gets no retry: the caller decides. */
const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/**
 * Calls endpoints by their declarations: parameters and replies have the types of the contract. A failed call
 * rejects with a `CallError`. A call that may have changed something is never retried, since a lost response
 * does not say whether the change was made.
 */
export class Connection {
  /** Follows the dates of answers. A page may not see those of another origin. */
  readonly clock = new ServerClock();
  readonly #root: string;
  readonly #headers: Record<string, string>;
  readonly #timeoutMs: number;
  readonly #retries: number;
  readonly #backoff: ConnectionOptions["backoff"];
  readonly #fetch: Fetch;
  readonly #describe: NonNullable<ConnectionOptions["describe"]>;
  readonly #describeError: ConnectionOptions["describeError"];

  constructor(options: ConnectionOptions) {
    this.#root = `${options.site.replace(/\/+$/, "")}/api/v1`;
    this.#headers = {
      ...authorization(options.credentials),
      ...(options.userAgent ? { "User-Agent": options.userAgent } : {}),
    };
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#retries = options.retries ?? 2;
    this.#backoff = options.backoff;
    this.#describe = options.describe ?? ((problem) => ENGLISH[problem]);
    this.#describeError = options.describeError;
    // Browsers refuse to call `fetch` as a method of another object.
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
  }

  async call<P extends object, R extends object>(
    endpoint: Callable<P, R>,
    parameters: NoInfer<P>,
    options: CallOptions = {},
  ): Promise<Answer<R>> {
    const backoff = new Backoff(this.#backoff);
    let left = options.retries ?? this.#retries;
    for (;;) {
      try {
        return (await this.#attempt(endpoint, parameters, options)) as Answer<R>;
      } catch (error) {
        if (!(error instanceof CallError) || !mayRetry(error) || left-- <= 0) throw error;
        await wait(Math.max(backoff.nextMs(), error.retryAfterMs ?? 0), options.signal);
      }
    }
  }

  async #attempt(endpoint: Callable, parameters: object, options: CallOptions): Promise<unknown> {
    const { name, method } = endpoint;
    const { path, form } = encodeCall(endpoint, parameters);
    const inQuery = method === "GET" && form.size > 0;
    const url = `${this.#root}${path}${inQuery ? `?${form}` : ""}`;
    const deadline = new Deadline(options.timeoutMs ?? this.#timeoutMs, options.signal);
    const body = method === "GET" ? undefined : options.files ? formWithFiles(form, options.files) : form;
    const send = this.#fetch;
    try {
      const response = await send(url, { method, headers: this.#headers, signal: deadline.signal, body });
      const text = await response.text();
      this.clock.note(Date.parse(response.headers.get("date") ?? ""));
      return readAnswer(endpoint, response, text, this.#describeError);
    } catch (error) {
      if (error instanceof CallError) throw error;
      options.signal?.throwIfAborted();
      const message = this.#describe(deadline.hasPassed ? "timedOut" : "unreachable");
      const isOutcomeUnknown = method !== "GET" && !wasNeverSent(error);
      const failure = { kind: "network", timedOut: deadline.hasPassed } as const;
      throw new CallError(name, failure, message, { cause: error, isOutcomeUnknown });
    } finally {
      deadline.end();
    }
  }
}

/**
 * A repetition must be of use and do nothing twice. An outcome is known after a GET, and after a refusal
 * before any work.
 */
function mayRetry(error: CallError): boolean {
  return error.isPassing && !error.isOutcomeUnknown && (error.retryAfterMs ?? 0) <= LONGEST_RETRY_AFTER_MS;
}

/** Node says when no connection was made. Browsers don't say why a request failed. */
function wasNeverSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN";
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
function encodeCall(endpoint: Callable, parameters: object): { path: string; form: URLSearchParams } {
  const values = new Map<string, unknown>(Object.entries(parameters));
  const form = new URLSearchParams();
  let path = endpoint.path;
  for (const [name, parameter] of Object.entries(endpoint.parameters)) {
    const value = values.get(name);
    if (value === undefined) continue;
    const text = encodeValue(parameter, value);
    if (parameter.inPath) path = path.replace(`{${name}}`, () => encodeURIComponent(text));
    else form.append(name, text);
  }
  return { path, form };
}

/** The fields come first, so that the server knows them when the first file arrives. */
function formWithFiles(fields: URLSearchParams, files: readonly FileToSend[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  for (const { name, content, contentType } of files) {
    const type = contentType ?? (content instanceof Blob ? content.type : "");
    form.append("file", new Blob([content as BlobPart], { type }), name);
  }
  return form;
}

function encodeValue(parameter: CallableParameter, value: unknown): string {
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

interface Received {
  status: number;
  headers: { get(name: string): string | null };
}

function readAnswer(
  endpoint: Callable,
  { status, headers }: Received,
  text: string,
  describe: ConnectionOptions["describeError"],
): unknown {
  const body = parseObject(text);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && body?.result === "success") {
    const { result, msg, ...fields } = body;
    return fields;
  }
  const fail = (failure: Failure, message: string, waitMs = readRetryAfter(headers.get("retry-after"))) => {
    const isOutcomeUnknown = endpoint.method !== "GET" && !isRefusal(failure);
    return new CallError(endpoint.name, failure, message, { retryAfterMs: waitMs, isOutcomeUnknown });
  };
  // One error has the status of a success, for programs that are no clients.
  if (body?.result === "error" && typeof body.msg === "string") {
    const { result, msg, code, ...fields } = body;
    const known = typeof code === "string" ? code : undefined;
    // A newer server may have codes that the types don't name.
    const failure = { kind: "api", status, code: known, fields } as ApiFailure;
    const seconds = fields["retry-after"];
    throw fail(
      failure,
      describe?.(known, fields as Record<string, string | number>) || body.msg,
      typeof seconds === "number" ? seconds * 1000 : undefined,
    );
  }
  if (isSuccess) throw fail({ kind: "malformed", status }, "The server's answer can't be understood.");
  throw fail({ kind: "http", status }, `The server answered with status ${status}.`);
}

/** The codes of the API's own 503. A proxy's 503 has none of them, and proves nothing. */
const CODES_OF_REFUSED = ["SERVER_NOT_READY", "DISK_FULL", "OUT_OF_MEMORY", "TOO_MANY_CONNECTIONS"];

/** Whether a response proves that nothing was done. */
function isRefusal(failure: Failure): boolean {
  if (failure.kind === "api") return failure.status < 500 || CODES_OF_REFUSED.includes(failure.code ?? "");
  return failure.kind === "http" && failure.status >= 400 && failure.status < 500;
}

/** Seconds or a date; undefined for anything else. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms >= 0 ? ms : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** No other site's page can send the header, so calls of the session come from the client itself. */
function authorization(credentials: ConnectionOptions["credentials"]): Record<string, string> {
  if (credentials === "cookie") return { "X-Parley-Client": "ParleyWeb" };
  return credentials ? { Authorization: basicAuthorization(credentials) } : {};
}

function basicAuthorization({ email, apiKey }: { email: string; apiKey: string }): string {
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
