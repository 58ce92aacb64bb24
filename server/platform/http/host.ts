const MAX_KNOWN = 1000;
/** The longest host name of the Internet. */
const MAX_NAME = 253;
const MAX_PORT = 65_535;
const HOST = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const ADDRESS = /^(localhost|[\d.]+|\[.*\])$/;

export interface Host {
  /** Without the port, in lower case. Empty if the header is missing or invalid. */
  name: string;
  /** The URL under which the organization was reached, without a slash at the end. */
  baseUrl: string;
  /** The origin of that URL, as browsers write it. Empty if there is no URL. */
  origin: string;
  /** Whether it is the server's own name, under which only programs on its machine reach it. */
  isLoopback: boolean;
  /** Whether a call has found an organization under this name. */
  isServed: boolean;
}

/** Parses Host headers. Valid ones are cached, since people use few hosts. */
export class Hosts {
  readonly #publicUrl: URL | undefined;
  readonly #invalid: Host;
  readonly #known = new Map<string, Host>();

  constructor(publicUrl: string | undefined) {
    this.#publicUrl = publicUrl === undefined ? undefined : new URL(publicUrl);
    const origin = this.#publicUrl?.origin ?? "";
    this.#invalid = { name: "", baseUrl: origin, origin, isLoopback: false, isServed: false };
  }

  read(header: string | undefined): Host {
    const text = header ?? "";
    let host = this.#known.get(text);
    if (!host) {
      host = this.#parse(text);
      if (!host) return this.#invalid;
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(text, host);
    }
    return host;
  }

  #parse(header: string): Host | undefined {
    const [, given, port = ""] = HOST.exec(header) ?? [];
    if (given === undefined || given.length > MAX_NAME || Number(port.slice(1)) > MAX_PORT) return undefined;
    const name = given.toLowerCase();
    const baseUrl = this.#baseUrl(name, name + port);
    return { name, baseUrl, origin: originOf(baseUrl), isLoopback: isLoopbackName(name), isServed: false };
  }

  /**
   * A proxy may send a bare address as the host. Then the public URL is the one that people know.
   * Organizations under other names have their own URLs.
   */
  #baseUrl(name: string, host: string): string {
    const known = this.#publicUrl;
    if (!known) return `http://${host}`;
    if (name === known.hostname || ADDRESS.test(name)) return known.href.replace(/\/+$/, "");
    return `${known.protocol}//${host}`;
  }
}

/** In lower case, without a port. */
export function isLoopbackName(host: string): boolean {
  return LOOPBACK.has(host);
}

/** A host name that the header may have can still be none in a URL. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
}
