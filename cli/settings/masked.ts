const HIDDEN = "***";
const SECRET_PARAMETER = /pass|secret|key|token/i;

/**
 * A setting as it may be shown: without the passwords of addresses. An address in whose form a password could
 * hide elsewhere is only `set`.
 */
export function maskAddresses(text: string): string {
  // NATS takes several.
  const isList = /^[a-z]+:\/\/[^,]*,\s*[a-z]+:\/\//i.test(text);
  if (isList) return text.split(",").map(maskAddresses).join(",");
  if (!/:\/\/|@/.test(text)) return text;
  return maskAddress(text.trim());
}

const SOCKET = /^([a-z]+:\/\/[^@/?#]*@)(\/[^@]*)$/i;

function maskAddress(text: string): string {
  // A database's socket is an address without a host, which URLs don't have.
  const [, user, rest] = SOCKET.exec(text) ?? [];
  if (user !== undefined) return maskUrl(`${user}localhost${rest}`).replace("localhost", "");
  return maskUrl(text);
}

function maskUrl(text: string): string {
  if (!/^[a-z0-9+.-]+:\/\//i.test(text) || !URL.canParse(text)) return "set";
  const url = new URL(text);
  // A password with a slash or a question mark that is not percent-encoded ends in what follows the host.
  if (`${url.pathname}${url.search}${url.hash}`.includes("@")) return "set";
  const isToken = ["nats:", "tls:"].includes(url.protocol) && url.password === "";
  if (url.password !== "") url.password = HIDDEN;
  if (url.username !== "" && isToken) url.username = HIDDEN;
  for (const name of url.searchParams.keys()) {
    if (SECRET_PARAMETER.test(name)) url.searchParams.set(name, HIDDEN);
  }
  const isBare = url.pathname === "/" && !text.endsWith("/");
  return isBare && url.search === "" ? url.href.replace(/\/$/, "") : url.href;
}
