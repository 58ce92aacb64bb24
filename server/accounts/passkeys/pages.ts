import { type PageRoute, publicFile } from "../../platform/http/page-routes.ts";
import { pageScript } from "./page-script.ts";

/** The script that the pages for signing in load. */
export const passkeyScript: PageRoute = publicFile("/passkeys.js", ({ reply }) =>
  reply
    .header("Content-Type", "text/javascript; charset=utf-8")
    .header("Cache-Control", "no-cache")
    .send(pageScript),
);
