import { accessSync, constants, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CommandError } from "../command.ts";

/** An account and its server. */
export interface Account {
  site: string;
  email: string;
  apiKey: string;
}

/** Reads a zuliprc file, in which API clients keep an account; undefined if there is no such file. */
export function readZuliprc(file: string): Account | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CommandError("zuliprc", `${file} can't be read: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  const values = parseApiSection(text);
  const missing = ["site", "email", "key"].filter((name) => !values.get(name));
  if (missing.length > 0)
    throw new CommandError("zuliprc", `${file} has no ${missing.join(" and no ")} in its section [api].`);
  const [site, email, apiKey] = ["site", "email", "key"].map((name) => values.get(name) as string) as [
    string,
    string,
    string,
  ];
  return { site: parseSite(site), email, apiKey };
}

/** The text of a zuliprc file. */
export function formatZuliprc({ site, email, apiKey }: Account): string {
  return `[api]\nemail=${email}\nkey=${apiKey}\nsite=${site}\n`;
}

/** Writes a new zuliprc file that only its owner can read. Throws a CommandError if the file exists. */
export function writeZuliprc(file: string, account: Account): void {
  try {
    writeFileSync(file, formatZuliprc(account), { flag: "wx", mode: 0o600 });
  } catch (error) {
    checkNoFile(file);
    throw new CommandError("file-unwritable", `${file} can't be written: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

/**
 * Throws if the file exists, since its account may be in use, or if it can't be made. Call it before anything
 * is changed.
 */
export function checkNoFile(file: string): void {
  if (existsSync(file))
    throw new CommandError("file-exists", `${file} exists already. Remove it first, or name another file.`);
  const folder = path.dirname(path.resolve(file));
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new CommandError("file-unwritable", `You can't write files in the folder ${folder}.`, {
      cause: error,
    });
  }
}

/** Reads lines `name = value` and `name: value`; comments are on lines of their own. */
function parseApiSection(text: string): Map<string, string> {
  const values = new Map<string, string>();
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    const [, heading] = /^\s*\[([^\]]*)\]/.exec(line) ?? [];
    if (heading !== undefined) section = heading.trim();
    const [, name = "", value = ""] = /^\s*([^#;=:\s][^=:]*?)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (section === "api" && name && heading === undefined)
      values.set(name.toLowerCase(), value.replace(/^(["'])(.*)\1$/, "$2"));
  }
  return values;
}

/** Parses a server's address. A bare name means https, except on this machine. Cuts off the API's path. */
export function parseSite(text: string): string {
  const isLocal = /^(localhost|127\.|\[::1\])/.test(text);
  const address = /^https?:\/\//i.test(text) ? text : `${isLocal ? "http" : "https"}://${text}`;
  if (!URL.canParse(address))
    throw new CommandError("setting-wrong", `'${text}' is not the address of a server.`);
  return address.replace(/\/+$/, "").replace(/\/api(\/v1)?$/, "");
}
