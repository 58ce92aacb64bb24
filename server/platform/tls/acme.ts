/**
 * A certificate from an authority that speaks ACME, renewed when a third of its time is left. The authority
 * asks port 80 of the host for a token, so one machine alone can have the name.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import acme from "acme-client";
import type { Certificate } from "./certificate.ts";
import { certificateFilesIn } from "./certificate-files.ts";
import type { ServedCertificate } from "./served-certificate.ts";
import type { TlsSettings } from "./settings.ts";

type AcmeSettings = Extract<TlsSettings, { kind: "acme" }>;

const HOUR_MS = 3600_000;
/** Authorities lock out who fails five times in an hour. */
const PAUSES_MS = [HOUR_MS / 4, HOUR_MS / 2, HOUR_MS, 6 * HOUR_MS];
const CALL_MS = 30_000;
/** Between two orders, whatever an authority gives. */
const LEAST_MS = 5_000;

export interface AcmeOptions {
  settings: AcmeSettings;
  dataDir: string;
  host: string;
  served: ServedCertificate;
  /** Tokens that the authority asks for, and the answers. */
  tokens: Map<string, string>;
  log: { info(sentence: string): void; warn(sentence: string): void };
}

/** Gets the first certificate and renews it, for as long as the server runs. */
export class AcmeRenewal {
  readonly #options: AcmeOptions;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isStopped = false;

  constructor(options: AcmeOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    const { served, log, host, settings } = this.#options;
    let failedPause: number | undefined;
    served.look();
    if (dueIn(served.current) === 0) {
      try {
        await order(this.#options);
        served.look();
        checkGiven(served);
        this.#failures = 0;
      } catch (error) {
        failedPause = PAUSES_MS[Math.min(this.#failures++, PAUSES_MS.length - 1)] as number;
        const until = served.current ? "" : " Until then nobody can connect.";
        log.warn(
          `The certificate authority at ${new URL(settings.directory).host} gave no certificate for ${host}: ${reasonOf(error)}. It has to reach this server at http://${host}. Parley tries again in ${Math.round(failedPause / 60_000)} minutes.${until}`,
        );
      }
    }
    const pause = failedPause ?? Math.min(HOUR_MS, Math.max(LEAST_MS, dueIn(served.current)));
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#run(), pause).unref();
  }
}

type Validity = Pick<Certificate, "validFrom" | "validTo" | "fitsHost">;

/** In how many milliseconds a third of its time is left. 0: it is, or the certificate is for another name. */
export function dueIn(current: Validity | undefined, now = Date.now()): number {
  if (!current?.fitsHost) return 0;
  const [from, to] = [current.validFrom.getTime(), current.validTo.getTime()];
  return Math.max(0, to - (to - from) / 3 - now);
}

/** Authorities give a few certificates for a name in a week. Asking again at once would use them up. */
function checkGiven({ current, fault }: ServedCertificate): void {
  if (dueIn(current) > 0) return;
  const reason =
    fault ?? `its certificate holds until ${current?.validTo.toISOString()}, so look at the clock`;
  throw new Error(current && !current.fitsHost ? "its certificate is for another name" : reason);
}

async function order({ settings, dataDir, host, tokens }: AcmeOptions): Promise<void> {
  const files = certificateFilesIn(dataDir, host);
  mkdirSync(path.dirname(files.key), { recursive: true, mode: 0o700 });
  acme.axios.defaults.timeout = CALL_MS;
  const client = new acme.Client({
    directoryUrl: settings.directory,
    accountKey: await accountKey(path.join(path.dirname(files.key), "account.key")),
  });
  const [key, csr] = await acme.crypto.createCsr(
    { commonName: host, altNames: [host] },
    await acme.crypto.createPrivateEcdsaKey("P-256"),
  );
  const chain = await client.auto({
    csr,
    email: settings.mail,
    termsOfServiceAgreed: true,
    challengePriority: ["http-01"],
    // The server may not reach its own public address.
    skipChallengeVerification: true,
    challengeCreateFn: async (_, { token }, answer) => void tokens.set(token, answer),
    challengeRemoveFn: async (_, { token }) => void tokens.delete(token),
  });
  // The key first: with the old certificate it does not fit, and then nothing else is served.
  write(files.key, key.toString());
  write(files.certificate, chain);
}

/** The authority knows the account by its key. */
async function accountKey(file: string): Promise<string> {
  if (!existsSync(file)) write(file, (await acme.crypto.createPrivateEcdsaKey("P-256")).toString());
  return readFileSync(file, "utf8");
}

function write(file: string, text: string): void {
  writeFileSync(`${file}.part`, text, { mode: 0o600 });
  chmodSync(`${file}.part`, 0o600);
  renameSync(`${file}.part`, file);
}

/** The authority's own words, on one line. */
function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  const text = (code && !message.includes(code) ? `${code}: ${message}` : message).replace(/\s+/g, " ");
  return text.replace(/\.$/, "").slice(0, 300);
}
