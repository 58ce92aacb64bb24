/**
 * A browser without script: it keeps cookies by host and follows redirects, also to servers on the
 * loopback.
 */
import type { FastifyInstance } from "fastify";

export interface Opened {
  /** Where it ended. An address of an app is not opened. */
  url: string;
  status: number;
  body: string;
}

const MAX_REDIRECTS = 15;

export class Browser {
  readonly #app: FastifyInstance;
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #userAgent: string;
  /** All addresses that were opened, the newest last. */
  readonly opened: string[] = [];
  /** Sees each address before it is opened, and may give another, or undefined to stop before it. */
  onRedirect: (url: string) => string | undefined = (url) => url;

  constructor(app: FastifyInstance, userAgent = "Mozilla/5.0 (X11; Linux) Firefox/140.0") {
    this.#app = app;
    this.#userAgent = userAgent;
  }

  /** The name and value of each cookie of a host. */
  cookies(host: string): string {
    return [...(this.#cookies.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  setCookies(host: string, header: string): void {
    for (const pair of header.split("; ")) this.#keep(host, pair);
  }

  async open(url: string, headers: Record<string, string> = {}): Promise<Opened> {
    return this.#follow(url, await this.#request(url, { method: "GET", headers }));
  }

  /** Sends a form of the page at this address. */
  async submit(url: string, fields: Record<string, string>): Promise<Opened> {
    const headers = {
      origin: new URL(url).origin,
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded",
    };
    const body = new URLSearchParams(fields).toString();
    return this.#follow(url, await this.#request(url, { method: "POST", headers, body }));
  }

  async #follow(start: string, first: Response): Promise<Opened> {
    let [url, response] = [start, first];
    for (let count = 0; count < MAX_REDIRECTS; count++) {
      const location = response.headers.get("location");
      if (location === null || response.status < 300 || response.status > 399) {
        return { url, status: response.status, body: await response.text() };
      }
      const next = this.onRedirect(new URL(location, url).href);
      if (next === undefined) return { url: location, status: response.status, body: "" };
      url = next;
      if (!url.startsWith("http")) return { url, status: response.status, body: "" };
      response = await this.#request(url, { method: "GET", headers: {} });
    }
    throw new Error(`too many redirects, the last to ${url}`);
  }

  async #request(
    url: string,
    { method, headers, body }: { method: "GET" | "POST"; headers: Record<string, string>; body?: string },
  ): Promise<Response> {
    this.opened.push(url);
    const { host, hostname, pathname, search } = new URL(url);
    const cookie = this.cookies(host);
    const all = { "user-agent": this.#userAgent, ...(cookie && { cookie }), ...headers };
    const response =
      hostname === "127.0.0.1"
        ? await fetch(url, { method, headers: all, redirect: "manual", ...(body && { body }) })
        : await this.#inject(`${pathname}${search}`, { method, headers: { ...all, host }, body });
    for (const header of response.headers.getSetCookie()) this.#keep(host, header);
    return response;
  }

  async #inject(
    url: string,
    {
      method,
      headers,
      body,
    }: { method: "GET" | "POST"; headers: Record<string, string>; body: string | undefined },
  ): Promise<Response> {
    const answer = await this.#app.inject({
      method,
      url,
      headers,
      ...(body !== undefined && { payload: body }),
    });
    const given = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    );
    return new Response(answer.body, { status: answer.statusCode, headers: given });
  }

  #keep(host: string, header: string): void {
    const [pair = "", ...attributes] = header.split(";").map((part) => part.trim());
    const at = pair.indexOf("=");
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    const isGone = attributes.some(
      (each) => /^max-age=0$/i.test(each) || /^expires=thu, 01 jan 1970/i.test(each),
    );
    if (isGone) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}
