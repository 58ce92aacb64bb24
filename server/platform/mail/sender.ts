/** Who mail comes from, and the server that sends it, as the settings name them. */
export interface SmtpSettings {
  host: string;
  port: number;
  /** TLS from the first byte on, in place of STARTTLS. */
  isSecure: boolean;
  credentials: { user: string; password: string } | undefined;
}

export interface Sender {
  name: string;
  address: string;
}

const ADDRESS = /^[^\s@"'<>,;:()[\]\\]+@[^\s@"'<>,;:()[\]\\]+$/;
const WITH_NAME = /^([^<>"\p{Cc}]*)<([^<>]+)>$/u;
/** The port for programs that hand in mail, and the one with TLS from the first byte on. */
const DEFAULT_PORTS = { "smtp:": 587, "smtps:": 465 } as const;

/** Reads `smtp://user:password@host:587` or `smtps:`. undefined for a text of another form. */
export function readSmtpUrl(text: string): SmtpSettings | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (protocol !== "smtp:" && protocol !== "smtps:") return undefined;
  if (hostname === "" || !["", "/"].includes(pathname) || search !== "" || hash !== "") return undefined;
  try {
    const user = decodeURIComponent(username);
    return {
      host: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: port === "" ? DEFAULT_PORTS[protocol] : Number(port),
      isSecure: protocol === "smtps:",
      credentials: user === "" ? undefined : { user, password: decodeURIComponent(password) },
    };
  } catch {
    // The text has a "%" that is no percent-encoding.
    return undefined;
  }
}

/** Reads `chat@example.com` or `Parley <chat@example.com>`. undefined for a text of another form. */
export function readSender(text: string): Sender | undefined {
  const [, name = "", inner = text] = WITH_NAME.exec(text) ?? [];
  const address = inner.trim();
  return ADDRESS.test(address) ? { name: name.trim(), address } : undefined;
}
