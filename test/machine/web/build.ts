import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

let isBuilt = false;

/** Builds the client once if a source has changed, in a process of its own as `npm start` does. */
export function buildClient(): void {
  if (isBuilt) return;
  const script = fileURLToPath(new URL("../../../tools/build-web.js", import.meta.url));
  execFileSync(process.execPath, [script], { stdio: "inherit" });
  isBuilt = true;
}
