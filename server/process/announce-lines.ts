import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { LineWriter, openOutput } from "../platform/std/line-writer.ts";
import { ownVersion } from "../version.ts";

/** Writes lines to standard output. A server whose standard output can't be written serves all the same. */
export function announceLines(lines: readonly string[]): void {
  new LineWriter({ write: openOutput(1) }).write(`${lines.join("\n")}\n`);
}

/** What standard output says to people, for the log: what was started where. */
export function logStart(log: Logger, { dataDir, databaseUrl }: Config, url: string): void {
  const database = databaseUrl === undefined ? "embedded" : "outside";
  logLife(log, "started", { version: ownVersion, url, database, dataDir });
}

/** That the server started and stopped is for readers of a log. Somebody at a terminal has seen it. */
export function logLife(log: Logger, message: string, fields: object = {}): void {
  if (!process.stderr.isTTY) log.info(fields, message);
}
