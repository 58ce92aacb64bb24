import type { Logger } from "pino";

/** As for calls. */
export const SLOW_STATEMENT_MS = 2000;
const MAX_TEXT = 300;
const WINDOW_MS = 60_000;
const MAX_LINES = 20;

/** How to say that PostgreSQL took long for one statement. `text`: with placeholders, as it was sent. */
export type NoteSlowStatement = (text: string, ms: number) => void;

/**
 * Names slow statements in the log. Statements are texts of the program, whose values are sent apart, so
 * nothing that people wrote is in a line. On a machine that stands still all statements are slow at once. So
 * there are at most 20 lines in a minute, and then one with the number of the others.
 */
export function slowStatements(log: Pick<Logger, "warn">): NoteSlowStatement {
  let lines = 0;
  let left = 0;
  let isCounting = false;
  const end = () => {
    isCounting = false;
    if (left > 0) log.warn({ count: left }, "further slow statements");
    lines = 0;
    left = 0;
  };
  return (text, ms) => {
    if (!isCounting) setTimeout(end, WINDOW_MS).unref();
    isCounting = true;
    if (lines++ < MAX_LINES) {
      const statement = text.replace(/\s+/g, " ").trim().slice(0, MAX_TEXT);
      log.warn({ statement, ms: Math.round(ms) }, "slow statement");
    } else {
      left++;
    }
  };
}
