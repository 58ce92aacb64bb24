import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds the client if a source has changed, in a process of its own as `npm start` does. */
export function buildClient(): void {
  const script = fileURLToPath(new URL("../../../tools/build-web.js", import.meta.url));
  execFileSync(process.execPath, [script], { stdio: "inherit" });
}
