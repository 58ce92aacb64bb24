import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";

const program = fileURLToPath(new URL("check-sources.js", import.meta.url));
let root: string;
afterEach(() => rmSync(root, { recursive: true, force: true }));

function check(files: Record<string, string>): { problems: string[]; status: number | null } {
  root = mkdtempSync(path.join(os.tmpdir(), "parley-sources-"));
  for (const folder of ["api", "client", "cli", "server", "web"]) mkdirSync(path.join(root, folder));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [program, root], { encoding: "utf8" });
  return { problems: stderr.split("\n").filter((line) => line !== ""), status };
}

describe("a function that takes all services", () => {
  const action = "export async function mail(services: Services, to: string) {}";
  const list = "export function draftRoutes(services: Services): Route[] {\n  return [];\n}\n";

  test.each([
    ["an action", "server/personal/drafts/actions.ts", action, "services: Services"],
    ["one that takes them apart", "server/channels/a.ts", "function a({ log }: Services) {}", "}: Services"],
    ["a type", "server/channels/a.ts", "interface Run {\n  services: Services;\n}", "services: Services"],
    ["a command's function", "cli/a.ts", action, "services: Services"],
    ["a function beside a list", "server/channels/handlers.ts", `${list}${action}`, "services: Services"],
  ])("is refused: %s", (_, file, text, found) => {
    expect(check({ [file]: text })).toEqual({
      problems: [
        `${file}: "${found}" takes all services: name those that are used, as in Pick<Services, "database">.`,
      ],
      status: 1,
    });
  });

  test.each([
    ["a list of routes", "server/channels/handlers.ts", list],
    ["a list of pages", "server/channels/pages.ts", list],
    ["what puts modules together", "server/app.ts", action],
    ["one that names what it uses", "server/a.ts", 'function a({ log }: Pick<Services, "log">) {}'],
    ["one that takes one of them", "server/a.ts", 'function a(log: Services["log"]) {}'],
  ])("passes: %s", (_, file, text) => {
    expect(check({ [file]: text })).toEqual({ problems: [], status: 0 });
  });
});
