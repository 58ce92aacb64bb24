import type { ExitCode } from "./exit-codes.ts";

/** A cause that an operator can meet, whatever the words in which it is told. */
export interface Fault {
  /** It never changes its meaning, and is not given again when its fault is gone. */
  number: `P${number}`;
  /** With which a command ends that meets it. */
  exit: ExitCode;
  /** What it is, in one to three sentences of Markdown. */
  what: string;
  /** What to do, with the command. */
  remedy: string;
}
