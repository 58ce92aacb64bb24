/**
 * The one way by which the server calls addresses that others choose: webhooks, previews, sign-in services.
 * A name is resolved once, all its addresses are checked, and the connection goes to the address that was
 * checked. So a name that changes its address in between gains nothing. Redirects are not followed, nothing
 * is decompressed, each call has a connection of its own, and everything is bounded. Decision 24 says why.
 */
import { lookup as resolveName } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { AddressRule } from "./addresses.ts";

/** What keeps a call from an answer. */
export type OutboundFailure =
  /** The text is no address of the web, or has a user name or a password. */
  | "bad-address"
  /** It leads to an address that the server must not reach. */
  | "blocked"
  /** It is not encrypted, and the address is not one that the operator has allowed. */
  | "not-encrypted"
  /** Too many calls are under way; nothing was sent. */
  | "busy"
  /** The name is unknown, the connection failed or ended, or its certificate is wrong. */
  | "unreachable"
  /** This server stops, so the call was ended or not begun. */
  | "stopped"
  | "timeout"
  /** The headers or the body are longer than the limit. */
  | "too-large";

export class OutboundError extends Error {
  override name = "OutboundError";
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, options?: ErrorOptions) {
    super(`a call to another server failed: ${failure}`, options);
    this.failure = failure;
  }
}

export interface OutboundRequest {
  method: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** From the look-up of the name to the last byte of the answer. */
  timeoutMs: number;
  /** From the look-up of the name to the end of the answer's headers. By default the whole time. */
  headTimeoutMs?: number;
  /** The longest answer that is read. */
  maxResponseBytes: number;
  /** Whether the answer may be cut at that limit. Otherwise a longer one is a failure. */
  isCut?: boolean;
  /** Whether the body is wanted, by what the head says. Otherwise it is not read, and empty. */
  wantsBody?: (head: ResponseHead) => boolean;
  /** Outside of what the operator allowed, only HTTPS: for calls that carry secrets. */
  mustEncrypt?: boolean;
  /** Whether nobody waits for the answer. Then some of the room stays free for calls that people wait for. */
  isInBackground?: boolean;
  signal?: AbortSignal;
}

export interface ResponseHead {
  status: number;
  headers: http.IncomingHttpHeaders;
}

export interface OutboundResponse extends ResponseHead {
  body: Buffer;
}

/** Resolves with all addresses of a name. */
type LookUp = (host: string) => Promise<readonly string[]>;

export interface OutboundOptions {
  /** Addresses and ranges inside the network that may be reached: PARLEY_OUTGOING_ALLOW. */
  allowed: readonly string[];
  /** Ports of the server's own parts. They stay closed at addresses that the setting opens. */
  ownPorts?: readonly number[];
  /** Tests replace it. */
  resolve?: LookUp;
  limits?: Limits;
}

export interface Limits {
  /** Calls at the same time: of this process, and of one organization. */
  total: number;
  perOrganization: number;
}

const DEFAULT_LIMITS: Limits = { total: 64, perOrganization: 8 };
/**
 * How much of each limit calls in the background may use. Programs of bots that answer slowly would otherwise
 * keep people from signing in with a provider.
 */
const BACKGROUND_SHARE = 0.75;
const MAX_HEADER_BYTES = 16 * 1024;
/** How long a connection may stay without a byte. */
const IDLE_MS = 10_000;
/** How many addresses of one name are tried. One with more is not looked at further. */
const MAX_ADDRESSES = 32;

export class OutboundHttp {
  readonly #rule: AddressRule;
  readonly #ownPorts: ReadonlySet<number>;
  readonly #resolve: LookUp;
  readonly #limits: Limits;
  readonly #underWay = new Map<number, number>();
  readonly #tasks = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #total = 0;

  constructor({ allowed, ownPorts = [], resolve = resolveAll, limits = DEFAULT_LIMITS }: OutboundOptions) {
    this.#rule = new AddressRule(allowed);
    this.#ownPorts = new Set(ownPorts);
    this.#resolve = resolve;
    this.#limits = limits;
  }

  /** How many calls are under way. */
  get total(): number {
    return this.#total;
  }

  /**
   * Calls an address. It counts against the limits of the organization for which it is done. Throws
   * OutboundError. Every status is an answer, redirects too.
   */
  async request(organizationId: number, url: string, request: OutboundRequest): Promise<OutboundResponse> {
    const target = parseTarget(url);
    if (this.#stopping.signal.aborted) throw new OutboundError("stopped");
    const { isInBackground = false } = request;
    if (!this.hasRoom(organizationId, { isInBackground })) throw new OutboundError("busy");
    this.#count(organizationId, 1);
    const head = new AbortController();
    const timer = setTimeout(() => head.abort(new HeadTimeout()), request.headTimeoutMs ?? request.timeoutMs);
    let looking: Promise<unknown> = Promise.resolve();
    const lookUp = (host: string) => {
      const found = this.#resolve(host);
      looking = found;
      return found;
    };
    try {
      const signals = [AbortSignal.timeout(request.timeoutMs), this.#stopping.signal, head.signal];
      const signal = AbortSignal.any(request.signal ? [...signals, request.signal] : signals);
      const address = await this.#checkedAddress(target, request, signal, lookUp);
      return await send(target, address, request, signal, () => clearTimeout(timer));
    } finally {
      clearTimeout(timer);
      // A look-up can't be ended, and all of the process share a few threads for them. One of a name whose
      // servers are silent takes longer than its call, and keeps the place.
      const leave = () => this.#count(organizationId, -1);
      looking.then(leave, leave);
    }
  }

  /**
   * Does work with a call in it in the background, if the organization has room for one. Returns whether it
   * has begun. The work must not throw: nobody waits for it.
   */
  begin(organizationId: number, work: () => Promise<void>): boolean {
    if (!this.hasRoom(organizationId, { isInBackground: true }) || this.#stopping.signal.aborted)
      return false;
    const task = work().finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
    return true;
  }

  /** Resolves when all background work has ended, also work that begins meanwhile. */
  async settled(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.allSettled(this.#tasks);
  }

  /** Ends all calls, and resolves when background work has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Stopping());
    await this.settled();
  }

  /** Whether one more call of the organization can begin now. */
  hasRoom(organizationId: number, { isInBackground = false } = {}): boolean {
    const own = this.#underWay.get(organizationId) ?? 0;
    const share = isInBackground ? BACKGROUND_SHARE : 1;
    return this.#total < this.#limits.total * share && own < this.#limits.perOrganization * share;
  }

  #count(organizationId: number, change: 1 | -1): void {
    this.#total += change;
    const own = (this.#underWay.get(organizationId) ?? 0) + change;
    if (own === 0) this.#underWay.delete(organizationId);
    else this.#underWay.set(organizationId, own);
  }

  /** The address to connect to. If any address of the name is closed, none is used. */
  async #checkedAddress(
    target: URL,
    request: OutboundRequest,
    signal: AbortSignal,
    lookUp: LookUp,
  ): Promise<string> {
    const host = hostOf(target);
    const addresses = isIP(host) ? [host] : await untilAborted(lookUp(host), signal);
    const verdicts = addresses.map((address) => this.#rule.judge(address));
    const [first] = addresses;
    if (first === undefined) throw new OutboundError("unreachable");
    if (addresses.length > MAX_ADDRESSES || verdicts.includes("closed")) throw new OutboundError("blocked");
    const isInside = verdicts.includes("allowed");
    if (isInside && this.#ownPorts.has(portOf(target))) throw new OutboundError("blocked");
    const isOutside = verdicts.includes("open");
    if (request.mustEncrypt && isOutside && target.protocol !== "https:") {
      throw new OutboundError("not-encrypted");
    }
    return first;
  }
}

/** Gives a name's addresses, or throws OutboundError. */
async function untilAborted(
  looking: Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(failureOf(signal)), { once: true });
  });
  try {
    return await Promise.race([looking, aborted]);
  } catch (error) {
    throw error instanceof OutboundError ? error : new OutboundError("unreachable", { cause: error });
  }
}

/** Throws OutboundError for what is no address of the web, and for one with a user name. */
function parseTarget(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  const isWeb = target?.protocol === "http:" || target?.protocol === "https:";
  if (!target || !isWeb || target.username !== "" || target.password !== "") {
    throw new OutboundError("bad-address");
  }
  return target;
}

/** The name or the address, without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

async function resolveAll(host: string): Promise<string[]> {
  return (await resolveName(host, { all: true })).map(({ address }) => address);
}

class HeadTimeout extends Error {
  override name = "TimeoutError";
}

class Stopping extends Error {}

function failureOf(signal: AbortSignal): OutboundError {
  if (signal.reason instanceof Stopping) return new OutboundError("stopped");
  const isTimeout = (signal.reason as { name?: string } | undefined)?.name === "TimeoutError";
  return new OutboundError(isTimeout ? "timeout" : "unreachable");
}

/** The certificate must be for the name in the address, though the connection goes to a number. */
function send(
  target: URL,
  address: string,
  { method, headers = {}, body, maxResponseBytes, isCut = false, wantsBody }: OutboundRequest,
  signal: AbortSignal,
  onHead: () => void,
): Promise<OutboundResponse> {
  const family = isIP(address);
  const lookup: LookupFunction = (_name, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  const host = hostOf(target);
  return new Promise((resolve, reject) => {
    const client = target.protocol === "https:" ? https : http;
    const request = client.request({
      protocol: target.protocol,
      host,
      port: portOf(target),
      path: `${target.pathname}${target.search}`,
      method,
      headers: {
        "accept-encoding": "identity",
        connection: "close",
        ...headers,
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
      },
      lookup,
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      ...(isIP(host) === 0 && { servername: host }),
    });
    const fail = (error: unknown) => {
      signal.removeEventListener("abort", abort);
      request.destroy();
      reject(error instanceof OutboundError ? error : toFailure(error));
    };
    const abort = () => fail(failureOf(signal));
    request.on("error", fail);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    request.setTimeout(IDLE_MS, () => fail(new OutboundError("timeout")));
    request.on("response", (response) => {
      onHead();
      const head = { status: response.statusCode ?? 0, headers: response.headers };
      const isWanted = wantsBody?.(head) ?? true;
      const reading = isWanted ? readBody(response, maxResponseBytes, isCut) : Promise.resolve(NOTHING);
      reading.then((bytes) => {
        signal.removeEventListener("abort", abort);
        resolve({ ...head, body: bytes });
        request.destroy();
      }, fail);
    });
    request.end(body);
  });
}

function toFailure(error: unknown): OutboundError {
  const isLong = (error as { code?: unknown }).code === "HPE_HEADER_OVERFLOW";
  return new OutboundError(isLong ? "too-large" : "unreachable", { cause: error });
}

const NOTHING = Buffer.alloc(0);

async function readBody(response: IncomingMessage, limit: number, isCut: boolean): Promise<Buffer> {
  if (!isCut && Number(response.headers["content-length"] ?? 0) > limit) throw new OutboundError("too-large");
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    parts.push(part);
    if (size <= limit) continue;
    if (!isCut) throw new OutboundError("too-large");
    return Buffer.concat(parts, limit);
  }
  if (!response.complete) throw new OutboundError("unreachable");
  return Buffer.concat(parts);
}
