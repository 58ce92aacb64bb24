import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandSettings, serverSettings } from "../settings/setting-list.ts";
import { checkSettingNames, describeServiceLinks, describeUnknown, settingNames } from "./setting-names.ts";

const ending = "Correct the name, or remove the line if the setting is of another release.";

test("a server refuses a name that is no setting, with the nearest one and without its value", () => {
  const check = () => checkSettingNames({ PARLEY_PRT: "9952", PARLEY_SECRETS: "hush", PARLEY_SEED: "1" });
  expect(check).toThrow(
    expect.objectContaining({
      fault: "setting-unknown",
      message: `PARLEY_PRT is no setting, perhaps PARLEY_PORT is meant. PARLEY_SECRETS is no setting, perhaps PARLEY_SECRET is meant. PARLEY_SEED is no setting. ${ending}`,
    }),
  );
});

test.each([
  ["PARLEY_TLS_CERT", "PARLEY_TLS"],
  ["PARLEY_SMTP_PASSWORD", "PARLEY_SMTP_URL"],
  ["PARLEY_DATABASE_URL", "DATABASE_URL"],
  ["PARLEY_AWS_REGION", "AWS_REGION"],
])("%s, as other programs name it, leads to %s", (written, meant) => {
  expect(describeUnknown({ [written]: "1" })).toBe(
    `${written} is no setting, perhaps ${meant} is meant. ${ending}`,
  );
});

test("settings, and variables of others, are taken", () => {
  expect(describeUnknown({ PARLEY_PORT: "1", PARLEY_: "1", PORT: "1" })).toBeUndefined();
  expect(describeServiceLinks({ PARLEY_PORT: "1", PARLEY_HTTP_PORT: "80" })).toBeUndefined();
});

test("what Kubernetes sets for services whose names begin with parley is explained, and not refused", () => {
  const links = {
    PARLEY_DB_PORT: "tcp://10.0.0.2:5432",
    PARLEY_PORT_9991_TCP: "tcp://10.0.0.1:9991",
    PARLEY_PORT_9991_TCP_ADDR: "10.0.0.1",
    PARLEY_SERVICE_HOST: "10.0.0.1",
    PARLEY_SERVICE_PORT_HTTP: "9991",
  };
  expect(describeUnknown(links)).toBeUndefined();
  expect(describeServiceLinks(links)).toMatch(/^PARLEY_DB_PORT and 4 more: set by Kubernetes for a service/);
  // A port without the form of a link is a misspelt setting.
  expect(describeUnknown({ PARLEY_HTPP_PORT: "80" })).toContain("perhaps PARLEY_HTTP_PORT is meant");
});

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");
const namesIn = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name))].sort();

test("the list has all settings that the server and the commands read, and no other", () => {
  const commands = readdirSync(new URL("..", import.meta.url), { recursive: true, encoding: "utf8" });
  const files = [
    "../../server/config.ts",
    "../../server/setting-values.ts",
    ...commands
      .filter((name) => name.endsWith(".ts") && !/test|setting-list/.test(name))
      .map((name) => `../${name}`),
  ];
  expect(namesIn(files.map(read).join("\n"), /PARLEY_([A-Z_]*[A-Z])/g)).toEqual([...settingNames].sort());
  const others = serverSettings.map(({ name }) => name).filter((name) => !name.startsWith("PARLEY_"));
  expect(namesIn(read("../../server/config.ts"), /text\("((?!PARLEY_)[A-Z_]+)"\)/g)).toEqual(
    others.filter((name) => !name.startsWith("AWS_")),
  );
  expect(
    namesIn(read("../../server/platform/file-storage/s3-settings.ts"), /variable\("(AWS_[A-Z_]+)"\)/g),
  ).toEqual(others.filter((name) => name.startsWith("AWS_")).sort());
});

test("docs/running.md has a row for each setting, in the order in which `parley config` prints them", () => {
  const page = read("../../docs/running.md");
  const [ofServer, ofCommands] = page.split("Commands read these besides:");
  const rows = (text = "") =>
    [...text.split("\n## Starting")[0]!.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)].flatMap(
      ([, names = ""]) => names.replaceAll("`", "").split(", "),
    );
  expect(rows(ofServer)).toEqual(serverSettings.map(({ name }) => name));
  expect(rows(ofCommands)).toEqual(commandSettings.map(({ name }) => name));
  expect(namesIn(page, /PARLEY_([A-Z_]*[A-Z])/g)).toEqual([...settingNames].sort());
});
