import { type Config, isLoopback } from "../../server/config.ts";
import { type Finding, failed, passed, tryToListen, warned } from "./checks.ts";

const ANSWER_MS = 3000;

/** Passes if the address of the metrics is free, or if Parley itself serves them there. */
export async function checkMetrics({ metrics }: Pick<Config, "metrics">): Promise<Finding> {
  if (!metrics) return passed("Metrics are served nowhere.");
  const { host, port } = metrics;
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const code = port === 0 ? undefined : await tryToListen(host, port);
  if (code === "EADDRINUSE" && !(await isOurs(address))) {
    return failed(
      "metrics-port",
      `PARLEY_METRICS is ${address}, which is in use, and no Parley server serves metrics there.`,
      "Stop the program that uses it, or choose another port with PARLEY_METRICS.",
    );
  }
  if (code !== undefined && code !== "EADDRINUSE")
    return failed(
      "metrics-port",
      `PARLEY_METRICS is ${address}, which can't be used (${code}).`,
      "Change PARLEY_METRICS.",
    );
  if (!isLoopback(host)) {
    return warned(
      "metrics-open",
      `Metrics are served at ${address} to anybody who can reach it, without a password.`,
      "Let a firewall close the port to all but Prometheus, or set PARLEY_METRICS to a loopback address.",
    );
  }
  return passed(`Metrics are served at ${address}.`);
}

/** A wildcard address is for listening; it is reached at the loopback one. */
async function isOurs(address: string): Promise<boolean> {
  const reached = address.replace(/^0\.0\.0\.0:/, "127.0.0.1:").replace(/^\[::\]:/, "[::1]:");
  try {
    const answer = await fetch(`http://${reached}/metrics`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return (await answer.text()).includes("parley_build_info");
  } catch {
    return false;
  }
}
