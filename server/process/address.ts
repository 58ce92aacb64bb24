import os from "node:os";
import type { Config } from "../config.ts";

const WILDCARDS = new Set(["0.0.0.0", "[::]"]);

/** The address that a server with these settings listens on. */
export function addressOf({ host, tls }: Pick<Config, "host" | "tls">, port: number): string {
  return `${tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * The same address for a browser. Nobody can open a wildcard address, so the machine's first one takes its
 * place, which other machines of the network reach too.
 */
export function browsableAddress(
  url: string,
  interfaces: typeof os.networkInterfaces = os.networkInterfaces,
) {
  const address = new URL(url);
  if (!WILDCARDS.has(address.hostname)) return url;
  const known = Object.values(interfaces()).flatMap((each) => each ?? []);
  const first = known.find(({ internal, family }) => !internal && family === "IPv4");
  address.hostname = first?.address ?? "127.0.0.1";
  return address.origin;
}
