import { statSync } from "node:fs";
import { type Certificate, CertificateError, readCertificate } from "./certificate.ts";
import type { CertificateFiles } from "./certificate-files.ts";

const LOOK_MS = 5000;

/**
 * The certificate that is served, read again when its files change. Files that can't be used change nothing:
 * somebody may be writing them.
 */
export class ServedCertificate {
  readonly #files: CertificateFiles;
  readonly #host: string;
  readonly #log: { info(sentence: string): void; error(sentence: string): void };
  readonly #listeners = new Set<(certificate: Certificate) => void>();
  #timer: NodeJS.Timeout | undefined;
  #seen = "";
  #current: Certificate | undefined;
  #fault: string | undefined;

  /** `host`: of PARLEY_PUBLIC_URL. Reads the files, which need not be there yet. */
  constructor(
    files: CertificateFiles,
    host: string,
    log: { info(sentence: string): void; error(sentence: string): void },
  ) {
    this.#files = files;
    this.#host = host;
    this.#log = log;
    this.look();
  }

  /** undefined: there is none that could be served. */
  get current(): Certificate | undefined {
    return this.#current;
  }

  /** Why the files of now can't be used. */
  get fault(): string | undefined {
    return this.#fault;
  }

  onChange(listener: (certificate: Certificate) => void): void {
    this.#listeners.add(listener);
  }

  start(): void {
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Reads the files if they are others than at the last look. */
  look(): void {
    const seen = [this.#files.certificate, this.#files.key].map(stampOf).join(" ");
    if (seen === this.#seen) return;
    const isFirst = this.#seen === "";
    this.#seen = seen;
    const before = this.#current;
    try {
      this.#current = readCertificate(this.#files, this.#host);
      this.#fault = undefined;
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
      this.#fault = error.message;
      if (!isFirst) this.#log.error(`${error.message} The certificate of before is still served.`);
      return;
    }
    // Only the rights changed, or what was half written is back.
    if (before?.chain === this.#current.chain && before.key === this.#current.key) return;
    if (!isFirst)
      this.#log.info(`another certificate is served, until ${this.#current.validTo.toISOString()}`);
    for (const listener of this.#listeners) listener(this.#current);
  }
}

/**
 * A file that is written again has another one, and so has another file with the same name, and one that may
 * be read since a moment ago. Looking never throws: a directory may be closed while the server runs.
 */
function stampOf(file: string): string {
  try {
    const { ino, ctimeMs, size } = statSync(file);
    return `${ino}/${ctimeMs}/${size}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown";
  }
}
