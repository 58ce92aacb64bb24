import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { FaultError } from "../faults/fault-error.ts";

/** A certificate with its chain and its key, as PEM. */
export interface Certificate {
  chain: string;
  key: string;
  validFrom: Date;
  validTo: Date;
  /** Whether it is for the host name of people's address. */
  fitsHost: boolean;
}

/** The files can't be used. The message is a sentence for the person who runs the server. */
export class CertificateError extends FaultError {
  override name = "CertificateError";
}

/** Reads a certificate and its key. `host`: of PARLEY_PUBLIC_URL. Throws a CertificateError. */
export function readCertificate(files: { certificate: string; key: string }, host: string): Certificate {
  const chain = readText(files.certificate);
  const key = readText(files.key);
  const leaf = parse(files.certificate, () => new X509Certificate(chain), "a certificate");
  const privateKey = parse(files.key, () => createPrivateKey(key), "a private key without a password");
  if (!leaf.checkPrivateKey(privateKey))
    throw new CertificateError(
      "certificate-unreadable",
      `The key in ${files.key} is not that of the certificate in ${files.certificate}. Name two files in PARLEY_TLS that were made together, or get the certificate again for this key.`,
    );
  // What the library refuses of it, such as a key that is too short, is known before a client asks.
  parse(
    files.certificate,
    () => createSecureContext({ cert: chain, key }),
    "a certificate that can be served",
  );
  const [validFrom, validTo] = [new Date(leaf.validFrom), new Date(leaf.validTo)];
  const address = host.replace(/^\[(.*)\]$/, "$1");
  const fits = isIP(address) === 0 ? leaf.checkHost(host) : leaf.checkIP(address);
  return { chain, key, validFrom, validTo, fitsHost: fits !== undefined };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "There is no file" : "This user can't read";
    throw new CertificateError("certificate-unreadable", `${reason} ${file}, which PARLEY_TLS names.`, {
      cause: error,
    });
  }
}

function parse<T>(file: string, make: () => T, what: string): T {
  try {
    return make();
  } catch (error) {
    throw new CertificateError(
      "certificate-unreadable",
      `${file}, which PARLEY_TLS names, does not have ${what} in PEM form.`,
      {
        cause: error,
      },
    );
  }
}
