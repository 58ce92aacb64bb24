import { writeSync } from "node:fs";
import type { Logger } from "pino";
import type { Shutdown } from "./shutdown.ts";

/** The number of the first descriptor that a service manager passes. */
const FIRST_DESCRIPTOR = 3;
const MAX_DESCRIPTORS = 64;
/** What the service manager has not read yet is kept up to this number of lines. */
const MAX_UNSENT = 16;
const RETRY_MS = 1000;
/** Those that only tell the newest state. An older one need not be sent any more. */
const STATE = /^(STATUS|WATCHDOG)=/;

/** What the environment says about the service manager. */
export interface ServiceManagerSettings {
  /** The connected datagram socket of the service manager. undefined: it is told nothing. */
  descriptor: number | undefined;
  /** The socket to listen on, which stays open while the server is restarted. undefined: it opens its own. */
  listener: number | undefined;
  /** WATCHDOG_USEC in milliseconds: how long it waits for a sign of life. undefined: it does not. */
  watchdogMs: number | undefined;
  /** Set if the service manager waits for messages that it can't get: a sentence for people. */
  fault: string | undefined;
}

const NO_DESCRIPTOR =
  "NOTIFY_SOCKET is set, but no descriptor named 'notify' was passed, so the service manager does not learn that the server is ready. Start it through deploy/systemd/notify-exec.pl, or set Type=exec in the unit.";

/**
 * Reads what sd_listen_fds(3), sd_notify(3) and sd_watchdog_enabled(3) describe, and removes it from the
 * environment: PostgreSQL and workers are not the service.
 */
export function readServiceManager(environment: NodeJS.ProcessEnv, pid: number): ServiceManagerSettings {
  const { NOTIFY_SOCKET, LISTEN_PID, LISTEN_FDNAMES, LISTEN_FDS, WATCHDOG_PID, WATCHDOG_USEC } = environment;
  for (const name of [
    "NOTIFY_SOCKET",
    "LISTEN_PID",
    "LISTEN_FDNAMES",
    "LISTEN_FDS",
    "WATCHDOG_PID",
    "WATCHDOG_USEC",
  ]) {
    delete environment[name];
  }
  const isOurs = LISTEN_PID === String(pid) && LISTEN_FDS !== undefined;
  const count = isOurs ? Math.min(Number(LISTEN_FDS) || 0, MAX_DESCRIPTORS) : 0;
  const names = (LISTEN_FDNAMES ?? "").split(":");
  const passed = Array.from({ length: count }, (_, place) => names[place] || "unknown");
  const [descriptor] = descriptorsOf(passed, (name) => name === "notify");
  const [listener] = descriptorsOf(passed, (name) => name !== "notify");
  const isWatched = WATCHDOG_PID === undefined || WATCHDOG_PID === String(pid);
  const watchdogMs = isWatched ? Math.floor(Number(WATCHDOG_USEC) / 1000) : 0;
  return {
    descriptor,
    listener,
    watchdogMs: descriptor !== undefined && watchdogMs > 0 ? watchdogMs : undefined,
    fault: NOTIFY_SOCKET && descriptor === undefined ? NO_DESCRIPTOR : undefined,
  };
}

function descriptorsOf(names: readonly string[], isMeant: (name: string) => boolean): number[] {
  return names.flatMap((name, place) => (isMeant(name) ? [FIRST_DESCRIPTOR + place] : []));
}

/**
 * Tells the service manager, systemd in most cases, how the server is: that it is ready, reads its settings
 * again or stops, that it lives, and a line for `systemctl status`. docs/decisions/0073 says how the messages
 * get there. A message that can't be sent never disturbs the server.
 */
export class ServiceManager {
  readonly settings: ServiceManagerSettings;
  readonly #write: (descriptor: number, text: string) => void;
  #unsent: string[] = [];
  #isReady = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(
    settings: ServiceManagerSettings,
    write: (descriptor: number, text: string) => void = writeSync,
  ) {
    this.settings = settings;
    this.#write = write;
  }

  /** A line for people. */
  status(text: string): void {
    this.#send(`STATUS=${text}`);
  }

  /** The port is open. */
  ready(status: string): void {
    this.#isReady = true;
    this.#send("READY=1", `STATUS=${status}`);
  }

  /** Settings are read again by `read`. A server that starts or stops says only that. */
  reload(read: () => void): void {
    const isReady = this.#isReady;
    if (isReady) this.#send("RELOADING=1", `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`);
    try {
      read();
    } finally {
      if (isReady) this.#send("READY=1");
    }
  }

  stopping(): void {
    this.#isReady = false;
    this.#send("STOPPING=1", "STATUS=Stopping");
  }

  /**
   * Gives signs of life twice in the time that the service manager waits, as sd_watchdog_enabled(3) advises,
   * while the event loop turns and `isAlive` says yes.
   *
   * @param isAlive - also called at once
   */
  startWatchdog(isAlive: () => boolean = () => true): void {
    const { watchdogMs } = this.settings;
    if (watchdogMs === undefined) return;
    const give = () => {
      if (isAlive()) this.#send("WATCHDOG=1");
    };
    give();
    setInterval(give, watchdogMs / 2).unref();
  }

  /** What could not be sent before goes first, in the same datagram. */
  #send(...lines: string[]): void {
    const { descriptor } = this.settings;
    if (descriptor === undefined) return;
    const names = lines.map((line) => STATE.exec(line)?.[0]).filter((name) => name !== undefined);
    const older = this.#unsent.filter((line) => !names.some((name) => line.startsWith(name)));
    const message = [...older, ...lines.map((line) => line.replaceAll("\n", " "))];
    try {
      this.#write(descriptor, message.join("\n"));
      this.#unsent = [];
    } catch {
      // The service manager is busy, or gone. Perhaps nothing else is to be said for long.
      this.#unsent = message.slice(-MAX_UNSENT);
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        if (this.#unsent.length > 0) this.#send();
      }, RETRY_MS).unref();
    }
  }
}

/** The service manager of this process. It learns at once that the server starts, and later that it stops. */
export function openServiceManager(shutdown: Pick<Shutdown, "begun">, log: Logger): ServiceManager {
  const settings = readServiceManager(process.env, process.pid);
  if (settings.fault !== undefined) log.warn(settings.fault);
  const manager = new ServiceManager(settings);
  manager.status("Starting");
  void shutdown.begun.then(() => manager.stopping());
  return manager;
}
