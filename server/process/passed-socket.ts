import { readFileSync, readlinkSync } from "node:fs";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { ConfigError } from "../setting-values.ts";
import type { ServiceManagerSettings } from "./service-manager.ts";

type Passed = Pick<ServiceManagerSettings, "listener">;

/**
 * Throws a ConfigError if the service manager passed a socket to a server that can't use it. Workers can't,
 * since the last one that dies would close it. Development mode looks at PARLEY_HOST before it starts, and
 * the socket may be open to more.
 */
export function refusePassedSocket({ listener }: Passed, who: string): void {
  if (listener === undefined) return;
  throw new ConfigError(
    "passed-socket",
    `${who} can't listen on a socket of the service manager. Disable the socket unit (systemctl disable --now parley.socket).`,
  );
}

/** Throws a ConfigError if the service manager passed a socket that is none of TCP: it tells no addresses. */
export function checkPassedSocket({ listener }: Passed): void {
  if (listener === undefined || isTcp(listener)) return;
  throw new ConfigError(
    "passed-socket",
    "The socket of the service manager is not one of TCP. Write ListenStream= with an address and a port.",
  );
}

/** What Node.js can't say before it listens, and the kernel can. */
function isTcp(descriptor: number): boolean {
  const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1];
  const sockets = ["tcp", "tcp6"].flatMap((name) =>
    readFileSync(`/proc/self/net/${name}`, "utf8").split("\n"),
  );
  return sockets.some((line) => line.trim().split(/\s+/)[9] === inode);
}

/**
 * The host of a socket that the service manager opened. Commands look for the server where PARLEY_PORT says,
 * so another port is a warning.
 */
export function hostOfPassed(
  { address, port }: AddressInfo,
  config: Pick<Config, "port">,
  log: Pick<Logger, "warn">,
): string {
  if (port !== config.port) {
    log.warn(
      `The socket of the service manager has port ${port}, and PARLEY_PORT is ${config.port}, where commands look for the server. Set PARLEY_PORT=${port}.`,
    );
  }
  return address;
}
