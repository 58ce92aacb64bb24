import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { html, sendPage } from "../../platform/http/page.ts";
import { type PageRoute, publicFile } from "../../platform/http/page-routes.ts";
import { style } from "../../platform/http/page-style.ts";
import { hasSessionCookie, uncheckedSession } from "../../platform/http/session-cookie.ts";
import { readWebFiles, type WebFile, type WebFiles } from "./web-files.ts";

/** The worker fetches files of its own server, and does nothing else. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";
const YEAR_SECONDS = 365 * 24 * 3600;
const FROM_MEMORY = { limit: "none" } as const;

/** The page of the client, and its files under /assets/. */
export class WebClient {
  readonly #files: WebFiles | undefined;

  /** `places`: where the built client may be. */
  constructor(places?: readonly URL[]) {
    this.#files = readWebFiles(places);
  }

  /** What the page refers to. A name has the hash of its content, so browsers keep it for good. */
  get files(): PageRoute[] {
    return [
      publicFile(
        "/assets/:name",
        ({ request, reply, params }) => {
          const file = this.#files?.assets.get(params.name);
          if (!file) throw new ApiError(errors.notFound);
          reply.header("Cache-Control", `public, max-age=${YEAR_SECONDS}, immutable`);
          return send(request, reply, file);
        },
        FROM_MEMORY,
      ),
      publicFile(
        "/service-worker.js",
        ({ request, reply }) => {
          if (!this.#files?.worker) throw new ApiError(errors.notFound);
          reply.header("Cache-Control", "no-cache").header("Content-Security-Policy", WORKER_POLICY);
          return send(request, reply, this.#files.worker);
        },
        FROM_MEMORY,
      ),
      publicFile(
        "/client-build",
        ({ reply }) => {
          if (!this.#files) throw new ApiError(errors.notFound);
          return reply.header("Cache-Control", "no-store").type("text/plain").send(this.#files.build);
        },
        FROM_MEMORY,
      ),
    ];
  }

  /** What browsers install the client by, under the organization's name. */
  sendManifest(reply: FastifyReply, name: string): FastifyReply {
    if (!this.#files) throw new ApiError(errors.notFound);
    reply.header("Cache-Control", "no-cache").type("application/manifest+json");
    return reply.send(JSON.stringify({ ...this.#files.manifest, name, short_name: name }));
  }

  /**
   * The page itself holds nothing of an organization. So a session's cookie is enough, valid or not: the
   * client's calls find out, and lead to the form too. `isOpen`: people without an account may read.
   */
  send(request: FastifyRequest, reply: FastifyReply, isOpen = false): FastifyReply {
    if (!this.#files) return sendPage(reply, 200, notBuilt);
    if (!isOpen && !hasSessionCookie(request.headers))
      return reply.redirect(`/login?next=${encodeURIComponent(request.url)}`, 303);
    nameSession(request, reply);
    reply.header("Cache-Control", "no-cache").header("Content-Security-Policy", this.#files.policy);
    return send(request, reply, this.#files.html);
  }
}

/**
 * What the client keeps in the browser belongs to a session, whose cookie it can't read. So it gets a second
 * one, from which nothing of the session follows.
 */
function nameSession({ headers }: FastifyRequest, reply: FastifyReply): void {
  const token = uncheckedSession(headers);
  if (token === undefined) return;
  const name = createHash("sha256").update(`browser cache of ${token}`).digest("base64url").slice(0, 16);
  const pair = `parley-cache=${name}`;
  if (!headers.cookie?.includes(pair)) reply.header("Set-Cookie", `${pair}; Path=/; SameSite=Strict`);
}

function send({ headers }: FastifyRequest, reply: FastifyReply, file: WebFile): FastifyReply {
  reply.headers({ "Content-Type": file.type, ETag: file.etag, Vary: "Accept-Encoding" });
  if (headers["if-none-match"]?.replace(/W\//g, "").includes(file.etag)) return reply.code(304).send();
  const accepted = headers["accept-encoding"] ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : "identity";
  const packed = file.bodies[encoding];
  if (packed && encoding !== "identity") reply.header("Content-Encoding", encoding);
  return reply.send(packed ?? file.bodies.identity);
}

const notBuilt = {
  title: "Parley",
  style,
  body: html`<main>
<h1>Parley</h1>
<p>This server has no web client, because it was not built: run <code>npm run build:web</code> and restart.</p>
</main>`,
};
