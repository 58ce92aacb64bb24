/**
 * The exit codes of all commands. Those above 2 are those of sysexits.h, which scripts and service managers
 * know. docs/running.md has them for people.
 */
export const exitCodes = {
  /** Done. */
  ok: 0,
  /** Not done, or done and something was found wrong. */
  failure: 1,
  /** A wrong call. */
  usage: 2,
  /** An archive, a backup or a database is damaged, or a value is not one. */
  data: 65,
  /** What was named to be read is not there. */
  noInput: 66,
  /** A server, a database, a mail server or a bucket can't be reached. */
  unavailable: 69,
  /** A fault of the program itself. */
  bug: 70,
  /** The system refuses a process or memory. */
  system: 71,
  /** What was to be made is there already, or its place does not take it. */
  cantCreate: 73,
  /** A disk is full, or can't be written. */
  io: 74,
  /** Something else is at work. The same call succeeds later. */
  later: 75,
  /** An owner, or a right that is missing. */
  denied: 77,
  /** The settings or the installed program are wrong, and no new start changes that. */
  settings: 78,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
