import type { Config } from "./config.ts";

/** Whatever is asked for there, ports of web pages stay open to people's webhooks and previews. */
const PORTS_OF_PAGES = [80, 443];

/**
 * The ports of the server itself, its metrics, its database, its bus, its mail server and its bucket. Where
 * the operator opens addresses inside the network, requests that people cause still don't go there.
 */
export function ownPortsOf({ port, metrics, databaseUrl, natsUrl, mail, s3 }: Config): number[] {
  const portsIn = (urls: string | undefined, usual: number) =>
    urls?.split(",").map((url) => Number(/:(\d+)(?:[/?]|$)/.exec(url.trim())?.[1] ?? usual)) ?? [];
  const bucket = portsIn(s3?.endpoint, 443).filter((each) => !PORTS_OF_PAGES.includes(each));
  const servers = [port, metrics?.port ?? 0, mail?.smtp.port ?? 0];
  const own = [...servers, ...portsIn(databaseUrl, 5432), ...portsIn(natsUrl, 4222), ...bucket];
  return own.filter((each) => each > 0);
}
