/** The severity of a line of PostgreSQL's log, where it matters to who runs the server. */
export type LineLevel = "debug" | "warn" | "error";

/** What damages data, or keeps the database from working. */
const FAULTS =
  /could not (?!receive data from client|send data to client|fork)|terminated by (?:signal|exception)|checkpoints are occurring too frequently|wraparound|invalid (?:page|record|checkpoint)|checksum|corrupt|out of (?:memory|shared memory)|No space left|was interrupted|not properly shut down|remaining connection slots/;
/** Damage that a statement may be the first to find. A shortage is reported by who sent the statement. */
const DAMAGE = /could not (?:read|open|access)|invalid page|checksum|corrupt/;
/**
 * Said to each session, or to each that comes, while a server stops or comes back. The first start looks for
 * its role before it makes it.
 */
const OF_EACH_SESSION =
  /^terminating (?:connection|walsender process|autovacuum process|background worker)|^the database system is |^connection to client lost|^canceling |^(?:role|database) ".*" does not exist/;

/**
 * The level for one line; undefined: not to be logged. What a statement did wrong is told by who sent it, and
 * the sentence may have a value in it.
 */
export function levelOfLine(line: string): LineLevel | undefined {
  const [, severity = "LOG", text = line] = /^([A-Z]+\d?): +(.*)$/.exec(line) ?? [];
  if (OF_EACH_SESSION.test(text)) return "debug";
  const isFault = FAULTS.test(text);
  switch (severity) {
    case "PANIC":
      return "error";
    case "FATAL":
      return isFault ? "error" : "warn";
    case "ERROR":
      return DAMAGE.test(text) ? "warn" : undefined;
    case "WARNING":
      return "warn";
    case "LOG":
      return isFault ? "warn" : "debug";
    default:
      return undefined;
  }
}
