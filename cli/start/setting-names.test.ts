import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeMisspelt, settingNames } from "./setting-names.ts";

test("a name that is nearly that of a setting is told, without its value", () => {
  expect(describeMisspelt({ PARLEY_PRT: "9952", PARLEY_SECRETS: "hush", PARLEY_DATADIR: "/srv" })).toEqual([
    "PARLEY_PRT is no setting, so it is ignored. Is PARLEY_PORT meant?",
    "PARLEY_SECRETS is no setting, so it is ignored. Is PARLEY_SECRET meant?",
    "PARLEY_DATADIR is no setting, so it is ignored. Is PARLEY_DATA_DIR meant?",
  ]);
});

test("settings, and names that are like none, are not told", () => {
  expect(describeMisspelt({ PARLEY_PORT: "1", PARLEY_SEED: "1", PARLEY_: "1", PORT: "1" })).toEqual([]);
});

test("all settings that the server and the commands read are known", () => {
  const commands = readdirSync(new URL("..", import.meta.url), { recursive: true, encoding: "utf8" });
  const files = [
    "../../server/config.ts",
    "../../docs/running.md",
    ...commands.filter((name) => name.endsWith(".ts") && !/test/.test(name)).map((name) => `../${name}`),
  ];
  const read = files.flatMap((file) => {
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    return [...text.matchAll(/PARLEY_([A-Z_]*[A-Z])/g)].map(([, name]) => name as string);
  });
  expect([...new Set(read)].sort()).toEqual([...settingNames].sort());
});
