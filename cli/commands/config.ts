import { faults, withNumber } from "../../server/platform/faults/catalogue.ts";
import { exitCodes as allExitCodes } from "../../server/platform/faults/exit-codes.ts";
import { command, exitCodes } from "../command.ts";
import { jsonLine, jsonOption } from "../options/json.ts";
import { type SettingInForce, settingsInForce } from "../settings/settings-in-force.ts";
import { describeServiceLinks, describeUnknown, unknownSettings } from "../start/setting-names.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const config = command({
  usage: ["config"],
  details: `
Prints every setting as a server would have it that was started here and now: its name, its value and
where that comes from. In place of a secret stands "set", and passwords in addresses are left out. At the
end are the reasons for which a start would be refused, all of them, and the exit code is 78 then. Opens
no database and makes nothing.`,
  options: { json: jsonOption },
  settings: ["data-dir", "host", "port", "public-url"],
  words: { min: 0, max: 0 },
  async run({ values, environment, settings: options }) {
    const { settings, faults: found } = settingsInForce(environment, options);
    const unknown = unknownSettings(environment);
    process.stdout.write(
      values.json === true
        ? [...settings.map(dataOf), ...unknown.map(unknownData)].map((each) => `${jsonLine(each)}\n`).join("")
        : asText(settings, [
            ...found.map(({ fault, sentence }) => `✗ ${withNumber(fault, safeLine(sentence))}`),
            ...refusalOf(environment),
            ...notesOf(environment),
          ]),
    );
    return found.length + unknown.length === 0 ? exitCodes.ok : allExitCodes.settings;
  },
});

function asText(settings: readonly SettingInForce[], remarks: readonly string[]): string {
  const server = settings.filter(({ reader }) => reader === "server");
  const commands = settings.filter(({ reader }) => reader === "commands");
  const lineOf = lineFor(settings);
  return [
    ...server.map(lineOf),
    "",
    "What commands read besides:",
    ...commands.map(lineOf),
    ...(remarks.length > 0 ? ["", ...remarks] : []),
    "",
  ].join("\n");
}

/** A long value moves only what follows it in its own line. */
const MAX_WIDTH = 40;

function lineFor(settings: readonly SettingInForce[]) {
  const nameWidth = Math.max(...settings.map(({ name }) => name.length));
  const texts = settings.map((each) => valueText(each).length).filter((length) => length <= MAX_WIDTH);
  const valueWidth = Math.max(...texts);
  return (each: SettingInForce) => {
    const mark = each.fault === undefined ? " " : "✗";
    return `${mark} ${each.name.padEnd(nameWidth)}  ${valueText(each).padEnd(valueWidth)}  ${sourceText(each)}`;
  };
}

function valueText({ value }: SettingInForce): string {
  return value === undefined ? "–" : safeLine(value);
}

function sourceText({ value, source, file, option, note }: SettingInForce): string {
  if (value === undefined && file === undefined) return "not set";
  const place = option ?? (file === undefined ? source : safeLine(file));
  return note === undefined ? place : `${place}, ${note}`;
}

function refusalOf(environment: NodeJS.ProcessEnv): string[] {
  const sentence = describeUnknown(environment);
  return sentence === undefined ? [] : [`✗ ${withNumber("setting-unknown", safeLine(sentence))}`];
}

function notesOf(environment: NodeJS.ProcessEnv): string[] {
  const links = describeServiceLinks(environment);
  return links === undefined ? [] : [links];
}

function dataOf({ name, value, source, file, reader, fault }: SettingInForce) {
  return {
    name,
    value: value ?? null,
    source,
    file: file ?? null,
    reader,
    fault: fault === undefined ? null : faults[fault.fault].number,
    sentence: fault?.sentence ?? null,
  };
}

/** Its value may be a secret whose name is misspelt. */
function unknownData({ variable, sentence }: ReturnType<typeof unknownSettings>[number]) {
  return {
    name: variable,
    value: null,
    source: "environment",
    file: null,
    reader: null,
    fault: faults["setting-unknown"].number,
    sentence,
  };
}
