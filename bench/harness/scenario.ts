import { stopAll } from "./processes.ts";

/**
 * Runs a scenario. However it ends, by itself, by a failure or by a signal, the processes that it started end
 * too, and what they kept in temporary directories goes.
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
  // Nor does it outlive `npm run bench`, however that ends.
  process.on("disconnect", () => interrupt(129));
  process.channel?.unref();
  try {
    await body();
  } catch (error) {
    // What fails because its processes were stopped is no news.
    if (isInterrupted) return;
    console.error(error);
    process.exitCode = 1;
  }
  if (!isInterrupted) await stopAll();
}
