import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import type { Config } from "../server/config.ts";
import { localSite } from "./command.ts";
import { readInstallationConfig } from "./installation.ts";

/** What a check found, and what to do about it. */
export interface Finding {
  isWell: boolean;
  text: string;
  advice?: string;
}

const OLDEST_NODE = [20, 19];
const MiB = 1024 * 1024;
/** Below this the database soon can't write any more. */
const LEAST_SPACE = 500 * MiB;
const HEALTH_MS = 3000;

export const well = (text: string): Finding => ({ isWell: true, text });
export const wrong = (text: string, advice?: string): Finding => ({
  isWell: false,
  text,
  ...(advice ? { advice } : {}),
});

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  if (isNewEnough) return well(`Node.js ${version}`);
  return wrong(`Node.js ${version} is too old.`, `Install Node.js ${OLDEST_NODE.join(".")} or newer.`);
}

export function checkSettings(environment: NodeJS.ProcessEnv): { finding: Finding; config?: Config } {
  try {
    const config = readInstallationConfig(environment);
    const mode = config.isDevelopment ? "development" : "production";
    return { finding: well(`The settings can be read (${mode} mode).`), config };
  } catch (error) {
    return { finding: wrong((error as Error).message, "docs/running.md lists the settings.") };
  }
}

export function checkPublicUrl({ publicUrl, host }: Config): Finding {
  const isOpen = !["localhost", "::1"].includes(host) && !host.startsWith("127.");
  if (publicUrl) return well(`People reach it as ${publicUrl}.`);
  if (!isOpen)
    return well("Only this machine can reach it; PARLEY_HOST and PARLEY_PUBLIC_URL open it to others.");
  return wrong(
    `It listens on ${host} for other machines, but has no address that people use.`,
    "Set PARLEY_PUBLIC_URL, such as https://chat.example.com.",
  );
}

/** Servers on one database must read each other's keys. */
export function checkShared({ secret, isDevelopment }: Config): Finding {
  if (secret !== undefined || isDevelopment)
    return well("The secret that servers on one database share is there.");
  return wrong(
    "DATABASE_URL is set, and PARLEY_SECRET is not.",
    "Set it to one long random text for all servers on this database.",
  );
}

export function checkDisk(dataDir: string): Finding {
  const place = nearest(dataDir);
  try {
    if (!statSync(place).isDirectory()) {
      return wrong(`${place} is not a directory.`, "Name another place in PARLEY_DATA_DIR.");
    }
    accessSync(place, constants.W_OK | constants.X_OK);
  } catch {
    return wrong(
      `The data directory ${dataDir} can't be written by this user (id ${process.getuid?.() ?? "?"}).`,
      "Change its owner, run this as its owner, or name another in PARLEY_DATA_DIR.",
    );
  }
  const { bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  const amount =
    free < 10 * 1024 * MiB ? `${Math.floor(free / MiB)} MB` : `${Math.floor(free / 1024 / MiB)} GB`;
  if (free < LEAST_SPACE)
    return wrong(`The disk of ${dataDir} is nearly full: ${amount} are left.`, "Make room on it.");
  return well(
    `The data directory ${dataDir} ${place === dataDir ? "is" : "can be made, and will be"} writable; ${amount} are free.`,
  );
}

/** The directory itself, or the one in which it would have to be made. */
function nearest(dir: string): string {
  return existsSync(dir) || dir === path.dirname(dir) ? dir : nearest(path.dirname(dir));
}

/** Whether the address is free, or it is Parley that has it. */
export async function checkAddress(config: Config): Promise<Finding> {
  if (config.port === 0) return well("A free port is chosen at the start.");
  const site = localSite(config);
  const code = await tryToListen(config.host, config.port);
  if (code === undefined) return well(`Port ${config.port} on ${config.host} is free.`);
  if (code !== "EADDRINUSE") {
    return wrong(
      `Port ${config.port} on ${config.host} can't be used (${code}).`,
      "Change PARLEY_HOST or PARLEY_PORT.",
    );
  }
  if (await isHealthy(site)) return well(`A server answers at ${site}.`);
  return wrong(
    `Port ${config.port} on ${config.host} is taken, and no Parley answers there.`,
    "Stop the program that has it, or name another port in PARLEY_PORT.",
  );
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}

async function isHealthy(site: string): Promise<boolean> {
  try {
    const response = await fetch(`${site}/health`, { signal: AbortSignal.timeout(HEALTH_MS) });
    return ((await response.json()) as { status?: unknown }).status === "ok";
  } catch {
    return false;
  }
}
