import type { FastifyInstance } from "fastify";
import { pageScript } from "./page-script.ts";

/** The script that the pages for signing in load. */
export function registerPasskeyScript(pages: FastifyInstance): void {
  pages.get("/passkeys.js", (_request, reply) =>
    reply
      .header("Content-Type", "text/javascript; charset=utf-8")
      .header("Cache-Control", "no-cache")
      .send(pageScript),
  );
}
