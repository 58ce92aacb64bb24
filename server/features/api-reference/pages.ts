import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { errors } from "../../../api/errors.ts";
import { endpoints, events } from "../../../api/index.ts";
import { html, sendPage } from "../../platform/http/page.ts";
import { errorsPage, eventsPage } from "./lists.ts";
import { openApiDocument } from "./openapi.ts";

/**
 * The API reference, made from the declarations: the OpenAPI document at /api/v1/openapi.json, and pages for
 * endpoints at /api, events at /api/events and errors at /api/errors. No page needs credentials or loads
 * anything from another server. Only the server's own script files run.
 */
export function registerReference(pages: FastifyInstance): void {
  let document: string | undefined;
  pages.get("/api/v1/openapi.json", (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(endpoints));
    return reply.type("application/json; charset=utf-8").header("Cache-Control", "no-cache").send(document);
  });
  pages.get("/api", (_request, reply) =>
    sendPage(reply, 200, { title: "API · Parley", body: endpointsBody }),
  );
  pages.get("/api/", (_request, reply) => reply.redirect("/api", 301));
  pages.get("/api/events", (_request, reply) => sendPage(reply, 200, eventsPage(events)));
  pages.get("/api/errors", (_request, reply) => {
    const all = Object.values(errors) as ErrorDeclaration[];
    return sendPage(reply, 200, errorsPage(all, endpoints));
  });
  pages.get("/api/reference/start.js", (_request, reply) => reply.type(SCRIPT).send(start));
  for (const [name, type] of Object.entries(viewerFiles)) {
    pages.get(`/api/reference/${name}`, (_request, reply) => {
      const file = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
      return reply.type(type).header("Cache-Control", "max-age=3600").send(createReadStream(file));
    });
  }
}

const SCRIPT = "text/javascript; charset=utf-8";
const viewerFiles = { "swagger-ui.css": "text/css; charset=utf-8", "swagger-ui-bundle.js": SCRIPT };

const endpointsBody = html`<link rel="stylesheet" href="/api/reference/swagger-ui.css">
<noscript><p>This page needs JavaScript. The same is in <a href="/api/v1/openapi.json">openapi.json</a>; the
<a href="/api/events">events</a> and <a href="/api/errors">errors</a> need none.</p></noscript>
<div id="reference"></div>
<script src="/api/reference/swagger-ui-bundle.js"></script>
<script src="/api/reference/start.js"></script>`;

const start = `SwaggerUIBundle({
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
