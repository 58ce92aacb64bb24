import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply } from "fastify";
import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { errors } from "../../../api/errors.ts";
import { endpoints, events } from "../../../api/index.ts";
import { acceptsGzip } from "../../platform/http/accepts-gzip.ts";
import { type Html, html, scriptTag, sendPage } from "../../platform/http/page.ts";
import { type PageRoute, publicFile } from "../../platform/http/page-routes.ts";
import { errorsPage, eventsPage, navigation } from "./lists.ts";
import { openApiDocument } from "./openapi.ts";
import { quickStart } from "./quick-start.ts";
import { pageStyle, viewerStyle } from "./style.ts";

/**
 * The API reference, made from the declarations: the OpenAPI document at /api/v1/openapi.json, and pages for
 * endpoints at /api, events at /api/events and errors at /api/errors. No page needs credentials or loads
 * anything from another server. Only the server's own script files run.
 */
export function referencePages({ publicUrl, isDevelopment }: Place): PageRoute[] {
  let document: Compressible | undefined;
  return [
    publicFile("/api/v1/openapi.json", ({ reply }) => {
      document ??= compressible(Buffer.from(JSON.stringify(openApiDocument(endpoints))));
      return sendCompressed(reply.header("Cache-Control", "no-cache"), JSON_TYPE, document);
    }),
    publicFile("/api", ({ reply, host }) => {
      const body = endpointsBody(quickStart(publicUrl ?? host.baseUrl, isDevelopment));
      return sendPage(reply, 200, { title: "API · Parley", body, style: pageStyle + viewerStyle });
    }),
    publicFile("/api/", ({ reply }) => reply.redirect("/api", 301)),
    publicFile("/api/events", ({ reply }) => sendPage(reply, 200, eventsPage(events, endpoints))),
    publicFile("/api/errors", ({ reply }) => {
      const all = Object.values(errors) as ErrorDeclaration[];
      return sendPage(reply, 200, errorsPage(all, endpoints));
    }),
    publicFile("/api/reference/start.js", ({ reply }) => reply.type(SCRIPT).send(start)),
    ...Object.entries(viewerFiles).map(([name, type]) => viewerFile(name, type)),
  ];
}

function viewerFile(name: string, type: string): PageRoute {
  let content: Promise<Compressible> | undefined;
  return publicFile(`/api/reference/${name}`, async ({ reply }) => {
    content ??= readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))).then(compressible);
    return sendCompressed(
      reply.header("Cache-Control", `public, max-age=${DAY_SECONDS}`),
      type,
      await content,
    );
  });
}

/** Where the server is, and how it runs. Its settings have both. */
interface Place {
  publicUrl: string | undefined;
  isDevelopment: boolean;
}

const DAY_SECONDS = 24 * 3600;
const compress = promisify(gzip);

/** Something large that many ask for. It is compressed once, when the first client accepts that. */
interface Compressible {
  plain: Buffer;
  packed(): Promise<Buffer>;
}

function compressible(plain: Buffer): Compressible {
  let packed: Promise<Buffer> | undefined;
  return {
    plain,
    packed() {
      packed ??= compress(plain);
      return packed;
    },
  };
}

async function sendCompressed(
  reply: FastifyReply,
  type: string,
  content: Compressible,
): Promise<FastifyReply> {
  reply.type(type).header("Vary", "Accept-Encoding");
  if (!acceptsGzip(reply.request.headers)) return reply.send(content.plain);
  return reply.header("Content-Encoding", "gzip").send(await content.packed());
}

const JSON_TYPE = "application/json; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const viewerFiles = { "swagger-ui.css": "text/css; charset=utf-8", "swagger-ui-bundle.js": SCRIPT };

function endpointsBody(start: Html): Html {
  return html`<link rel="stylesheet" href="/api/reference/swagger-ui.css">
${navigation}
${start}
<noscript><p>The list of endpoints needs JavaScript. The same is in <a href="/api/v1/openapi.json">openapi.json</a>; the
<a href="/api/events">events</a> and <a href="/api/errors">errors</a> need none.</p></noscript>
<div id="reference"></div>
${scriptTag("/api/reference/swagger-ui-bundle.js")}
${scriptTag("/api/reference/start.js")}`;
}

const start = `const dark = matchMedia("(prefers-color-scheme: dark)");
function follow() {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}
follow();
dark.addEventListener("change", follow);
SwaggerUIBundle({
  url: "/api/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  displayOperationId: true,
  filter: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
`;
