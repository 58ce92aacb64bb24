import { stopAll } from "./processes.ts";

/**
 * Runs a scenario. At its end, also after a failure or a signal, the processes that it started end and
 * their temporary directories are deleted.
 */
export async function scenario(body: () => Promise<void>): Promise<void> {
  let isInterrupted = false;
  const interrupt = (code: number) => {
    if (isInterrupted) return;
    isInterrupted = true;
    void stopAll().finally(() => process.exit(code));
  };
  process.on("SIGINT", () => interrupt(130));
  process.on("SIGTERM", () => interrupt(143));
  // It also ends when `npm run bench` ends, for whatever reason.
  process.on("disconnect", () => interrupt(129));
  process.channel?.unref();
  try {
    await body();
  } catch (error) {
    // Errors caused by stopping its processes are expected.
    if (isInterrupted) return;
    console.error(error);
    process.exitCode = 1;
  }
  if (!isInterrupted) await stopAll();
}
