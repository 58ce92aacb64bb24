import { describe, expect, test } from "vitest";
import { checkSources } from "../test/harness/checked-sources.ts";

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
    expect(checkSources({ [file]: text })).toEqual({
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
    expect(checkSources({ [file]: text })).toEqual({ problems: [], status: 0 });
  });
});
