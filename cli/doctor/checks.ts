import { accessSync, constants, existsSync, statSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import path from "node:path";
import { json } from "node:stream/consumers";
import type { Config } from "../../server/config.ts";
import type { FaultName } from "../../server/platform/faults/catalogue.ts";
import {
  filesDirectory,
  needsSharedFiles,
  openFileStorage,
} from "../../server/platform/file-storage/open-storage.ts";
import { describeS3 } from "../../server/platform/file-storage/s3-settings.ts";
import { judgeSpace, readDiskSpace } from "../../server/platform/health/disk-part.ts";
import { faultOf, type Finding as PartFinding } from "../../server/platform/health/finding.ts";
import { findLockHolder } from "../../server/platform/postgres/lock.ts";
import { localSite } from "../command.ts";
import { describeFailure } from "../failure.ts";
import { readInstallationConfig } from "../installation/installation.ts";

/** The result of a check, and what to do unless it passed. */
export interface Finding {
  hasPassed: boolean;
  /** Whether it passed with a doubt that only people can settle. */
  isWarning?: true;
  text: string;
  advice?: string;
  /** undefined: all is well. */
  fault?: FaultName;
}

const OLDEST_NODE = [20, 19];
const HEALTH_MS = 3000;

export const passed = (text: string): Finding => ({ hasPassed: true, text });
export const failed = (fault: FaultName, text: string, advice?: string): Finding => ({
  hasPassed: false,
  fault,
  text,
  ...(advice ? { advice } : {}),
});

export const warned = (fault: FaultName, text: string, advice: string): Finding => ({
  hasPassed: true,
  fault,
  isWarning: true,
  text,
  advice,
});

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  if (isNewEnough) return passed(`Node.js ${version}`);
  return failed(
    "node-old",
    `Node.js ${version} is too old.`,
    `Install Node.js ${OLDEST_NODE.join(".")} or newer.`,
  );
}

export function checkSettings(environment: NodeJS.ProcessEnv): { finding: Finding; config?: Config } {
  try {
    const config = readInstallationConfig(environment);
    const mode = environment.PARLEY_ENV?.trim();
    return { finding: passed(`The settings can be read${mode ? ` (${mode} mode)` : ""}.`), config };
  } catch (error) {
    return { finding: failed(...describeFailure(error), "docs/running.md lists the settings.") };
  }
}

export function checkPublicUrl({ publicUrl, host }: Config): Finding {
  const isOpen = !["localhost", "::1"].includes(host) && !host.startsWith("127.");
  if (publicUrl) return passed(`People reach the server at ${publicUrl}.`);
  if (!isOpen)
    return passed(
      "Only this machine can reach the server. PARLEY_HOST and PARLEY_PUBLIC_URL open it to others.",
    );
  return failed(
    "public-url-unset",
    `The server listens on ${host} for other machines, but has no address for people to use.`,
    "Set PARLEY_PUBLIC_URL, such as https://chat.example.com.",
  );
}

/** Only a warning: what ends TLS may be the one client there is, or may need no limits. */
export function checkProxies(config: Config): Finding {
  const { trustedProxies } = config;
  if (needsProxies(config)) {
    return warned(
      "proxy-unnamed",
      "PARLEY_PUBLIC_URL is https, but no proxy is named, so all people share the rate limit of one address.",
      "Set PARLEY_TRUSTED_PROXIES to the address from which your proxy connects, such as 127.0.0.1.",
    );
  }
  return passed(
    trustedProxies.length === 0
      ? "No proxy is expected in front of the server."
      : `The addresses of clients come from the proxies ${trustedProxies.join(", ")}.`,
  );
}

/** Without PARLEY_TLS the server speaks http only, so https in its public URL means a proxy before it. */
export function needsProxies({ publicUrl, trustedProxies, tls }: Config): boolean {
  return !tls && publicUrl?.startsWith("https:") === true && trustedProxies.length === 0;
}

/** Servers on one database must be able to decrypt each other's keys. */
export function checkShared({ secret, isDevelopment }: Config): Finding {
  if (secret !== undefined || isDevelopment)
    return passed("The secret that the servers on this database share is set.");
  return failed(
    "secret-unset",
    "DATABASE_URL is set, but PARLEY_SECRET is not.",
    "Set PARLEY_SECRET to one long random text for all servers on this database.",
  );
}

export async function checkDisk(dataDir: string): Promise<Finding> {
  const place = nearestExisting(dataDir);
  const fault = findDirectoryFault("The data directory", dataDir, "PARLEY_DATA_DIR");
  if (fault) return fault;
  const space = await readDiskSpace(place);
  const finding = judgeSpace("disk", place, space);
  if (finding.level !== "ok") return findingOf(finding);
  const is = place === dataDir ? "is writable" : "can be created";
  return passed(`The data directory ${dataDir} ${is}; ${finding.sentence}`);
}

/** How doctor shows a part that the server looks at too. */
export function findingOf(finding: PartFinding): Finding {
  const { level, sentence } = finding;
  const fault = faultOf(finding);
  if (fault === undefined) return passed(sentence);
  return level === "down" ? failed(fault, sentence) : { ...passed(sentence), fault, isWarning: true };
}

export async function checkFiles(config: Config): Promise<Finding> {
  if (config.s3) {
    const fault = await openFileStorage(config).prepare().then(noFault, describeFailure);
    return fault === undefined
      ? passed(`Files lie in ${describeS3(config.s3)}, which takes them and gives them back.`)
      : failed(...fault, "docs/files.md says how to set up a storage.");
  }
  const dir = filesDirectory(config);
  const fault = findDirectoryFault("The directory for files", dir, "PARLEY_FILES");
  if (fault) return fault;
  if (needsSharedFiles(config)) {
    return warned(
      "files-not-shared",
      `DATABASE_URL is set, and files lie in ${dir}, which other servers on the database may not see.`,
      "Set PARLEY_FILES to a directory or an S3 bucket that all servers on this database share.",
    );
  }
  return passed(`Files lie in ${dir}.`);
}

const noFault = () => undefined;

/** Why nothing can be written in it, if so. A directory that is missing is created later. */
function findDirectoryFault(what: string, dir: string, setting: string): Finding | undefined {
  const place = nearestExisting(dir);
  try {
    if (!statSync(place).isDirectory()) {
      return failed(
        "data-not-a-directory",
        `${place} is not a directory.`,
        `Choose another directory with ${setting}.`,
      );
    }
    accessSync(place, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return explainUnwritable((error as NodeJS.ErrnoException).code, what, dir, setting);
  }
}

export function explainUnwritable(
  code: string | undefined,
  what: string,
  dir: string,
  setting: string,
): Finding {
  const isOfFiles = setting === "PARLEY_FILES";
  if (code === "EROFS")
    return failed(
      isOfFiles ? "files-unwritable" : "data-unusable",
      `${what} ${dir} is on a read-only file system.`,
      `Mount it so that it can be written, or choose another directory with ${setting}.`,
    );
  return failed(
    isOfFiles ? "files-unwritable" : "data-denied",
    `${what} ${dir} can't be written by this user (id ${process.getuid?.() ?? "?"}).`,
    `Run this command as its owner, change its owner, or choose another directory with ${setting}.`,
  );
}

/** The directory itself, or its nearest parent that exists. */
function nearestExisting(dir: string): string {
  return existsSync(dir) || dir === path.dirname(dir) ? dir : nearestExisting(path.dirname(dir));
}

/** Passes if the address is free, or if Parley itself listens there. */
export async function checkAddress(config: Config): Promise<Finding> {
  if (config.port === 0) return passed("The server chooses a free port when it starts.");
  const site = localSite(config);
  const code = await tryToListen(config.host, config.port);
  if (code === undefined) return passed(`Port ${config.port} on ${config.host} is free.`);
  if (code !== "EADDRINUSE") {
    return failed(
      code === "EACCES" ? "port-denied" : "address-away",
      `Port ${config.port} on ${config.host} can't be used (${code}).`,
      "Change PARLEY_HOST or PARLEY_PORT.",
    );
  }
  if (await isHealthy(config)) return passed(`A server answers at ${site}.`);
  const holder = await findLockHolder(config.dataDir);
  if (holder !== undefined) {
    return failed(
      "server-silent",
      `The server on the data directory (process ${holder}) does not answer at ${site}.`,
      "Look at its log and its disk. To end it with kill -9 loses nothing that was acknowledged. If it listens elsewhere, set PARLEY_PORT to the server's own value.",
    );
  }
  return failed(
    "port-in-use",
    `Port ${config.port} on ${config.host} is in use, and no Parley server answers there.`,
    "Stop the program that uses it, or choose another port with PARLEY_PORT.",
  );
}

/** Why the address is not free, as the code of an error. */
export function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Asks the port itself. Whether the certificate is good, and whether the address for people leads here, are
 * checks of their own: a server with a certificate that has ended is not one that hangs.
 */
function isHealthy(config: Config): Promise<boolean> {
  const { hostname: host, port } = new URL(localSite({ ...config, tls: undefined }));
  const options = {
    host: host.replace(/^\[|\]$/g, ""),
    port: port || 80,
    path: "/health",
    signal: AbortSignal.timeout(HEALTH_MS),
  };
  return new Promise((resolve) => {
    const request = config.tls
      ? https.request({ ...options, rejectUnauthorized: false })
      : http.request(options);
    request.on("error", () => resolve(false));
    request.on("response", (response) => {
      json(response).then(
        (health) => resolve((health as { status?: unknown }).status === "ok"),
        () => resolve(false),
      );
    });
    request.end();
  });
}
