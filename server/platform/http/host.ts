const MAX_KNOWN = 1000;
const HOST = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;
const ADDRESS = /^(localhost|[\d.]+|\[.*\])$/;

export interface Host {
  /** Without the port, in lower case. Empty if the header is missing or invalid. */
  name: string;
  /** The URL under which the organization was reached, without a slash at the end. */
  baseUrl: string;
}

/** Parses Host headers. Results are cached, since people use few hosts. */
export class Hosts {
  readonly #publicUrl: URL | undefined;
  readonly #known = new Map<string, Host>();

  constructor(publicUrl: string | undefined) {
    this.#publicUrl = publicUrl === undefined ? undefined : new URL(publicUrl);
  }

  read(header: string | undefined): Host {
    const text = header ?? "";
    let host = this.#known.get(text);
    if (!host) {
      host = this.#parse(text);
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(text, host);
    }
    return host;
  }

  #parse(header: string): Host {
    const match = HOST.exec(header);
    if (!match) return { name: "", baseUrl: this.#publicUrl?.origin ?? "" };
    const name = (match[1] as string).toLowerCase();
    return { name, baseUrl: this.#baseUrl(name, name + (match[2] ?? "")) };
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
