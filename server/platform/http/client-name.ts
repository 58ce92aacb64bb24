/** There are few different programs. A flood of invented names must not fill the memory. */
const MAX_KNOWN = 1000;
/** Upstream's limit for the name of a client. */
const MAX_LENGTH = 30;
/** What follows in a longer text has no part in the name. */
const MAX_READ = 256;

const NAME = /^[^/(\s]*[^0-9/(]*/;

const known = new Map<string, string>();

/**
 * The name of the client program, in lower case. It is the first words of the User-Agent, up to a slash or a
 * parenthesis. After the first word a digit ends it, too. Browsers are "website", and without a name it is
 * "unspecified".
 */
export function clientName(userAgent: string | undefined): string {
  if (userAgent === undefined) return "unspecified";
  if (userAgent.length > MAX_READ) return clientName(copyOfStart(userAgent));
  const found = known.get(userAgent);
  if (found !== undefined) return found;
  const name = normalizeClientName((NAME.exec(userAgent) as RegExpExecArray)[0]);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(userAgent, name);
  return name;
}

/** A slice would keep the whole text in memory. */
function copyOfStart(text: string): string {
  return Buffer.from(text.slice(0, MAX_READ), "utf16le").toString("utf16le");
}

/** The stored form of a name: printable ASCII, at most 30 characters, in lower case. */
export function normalizeClientName(name: string): string {
  if (name.length > MAX_READ) return normalizeClientName(copyOfStart(name));
  const plain = name
    .replace(/[^\x20-\x7e]/g, "")
    .trim()
    .slice(0, MAX_LENGTH)
    .toLowerCase();
  if (plain === "") return "unspecified";
  return plain === "mozilla" ? "website" : plain;
}
