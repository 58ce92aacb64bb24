import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "../../e2e/parley.ts";

export interface Pair {
  certificate: string;
  key: string;
}

/** A certificate that signs itself, for one host name. */
export function makeCertificate(dir: string, name: string, host: string, days = 60): Pair {
  const pair = { certificate: path.join(dir, `${name}.crt`), key: path.join(dir, `${name}.key`) };
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`, "-days", String(days)];
  const files = ["-keyout", pair.key, "-out", pair.certificate];
  execFileSync("openssl", ["req", ...kind, ...subject, ...files], { stdio: "ignore" });
  return pair;
}

export interface Authority {
  /** Its directory, and the certificate of its own address. */
  directory: string;
  trusted: string;
  /** Where it asks for tokens. */
  httpPort: number;
}

/**
 * Starts a certificate authority for tests, whose certificates hold so many seconds. All host names lead to
 * this machine for it. It is ended when the test ends.
 */
export async function startAuthority(dir: string, validSeconds: number): Promise<Authority> {
  const own = makeCertificate(dir, "authority", "localhost");
  const [port, management, httpPort, dns, dnsManagement] = await Promise.all(
    Array.from({ length: 5 }, () => freePort()),
  );
  const config = path.join(dir, "pebble.json");
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: own.certificate,
    privateKey: own.key,
    httpPort,
    tlsPort: httpPort,
    certificateValidityPeriod: validSeconds,
  };
  writeFileSync(config, JSON.stringify({ pebble }));
  const none = ["-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", ""];
  const names = ["-defaultIPv4", "127.0.0.1", "-dns01", `127.0.0.1:${dns}`];
  await startProgram(
    "pebble-challtestsrv",
    [...none, ...names, "-management", `127.0.0.1:${dnsManagement}`],
    /Starting management server/,
  );
  await startProgram(
    "pebble",
    ["-config", config, "-dnsserver", `127.0.0.1:${dns}`],
    /ACME directory available/,
  );
  return {
    directory: `https://localhost:${port}/dir`,
    trusted: own.certificate,
    httpPort: httpPort as number,
  };
}

function startProgram(program: string, words: string[], isReady: RegExp): Promise<void> {
  const child = spawn(program, words, { env: { ...process.env, PEBBLE_VA_NOSLEEP: "1" } });
  const end = new Promise<void>((resolve) => child.once("close", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await end;
  });
  return new Promise((resolve, reject) => {
    let printed = "";
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
        if (isReady.test(printed)) resolve();
      });
    }
    child.once("error", reject);
    child.once("close", () => reject(new Error(`${program} ended: ${printed}`)));
  });
}

export const read = (file: string) => readFileSync(file, "utf8");
