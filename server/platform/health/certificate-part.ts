import { type Certificate, CertificateError, readCertificate } from "../tls/certificate.ts";
import type { CertificateFiles } from "../tls/certificate-files.ts";
import { describeSeconds } from "./duration.ts";
import { down, type Finding, ok, type Part, warning } from "./finding.ts";

const WARNED_MS = 14 * 24 * 3600_000;

/** Whether the certificate that the server speaks https with holds. `host`: of PARLEY_PUBLIC_URL. */
export function certificatePart(files: CertificateFiles, host: string): Part {
  return { name: "certificate", everySeconds: 60, check: async () => checkCertificate(files, host) };
}

/** Shared with `parley doctor`. */
export function checkCertificate(files: CertificateFiles, host: string, now = Date.now()): Finding {
  try {
    return judgeCertificate(readCertificate(files, host), host, now);
  } catch (error) {
    if (error instanceof CertificateError) return down("certificate-unreadable", error.message);
    throw error;
  }
}

export function judgeCertificate(
  { validFrom, validTo, fitsHost }: Pick<Certificate, "validFrom" | "validTo" | "fitsHost">,
  host: string,
  now: number,
): Finding {
  const until = validTo.toISOString();
  if (validTo.getTime() <= now) {
    return down(
      "certificate-expired",
      `The certificate ended on ${until}, so no browser connects. Renew it.`,
    );
  }
  if (validFrom.getTime() > now) {
    return down(
      "certificate-early",
      `The certificate is valid from ${validFrom.toISOString()} on. Look at the clock.`,
    );
  }
  if (!fitsHost) {
    return down(
      "certificate-host",
      `The certificate is not for ${host}, the host name of PARLEY_PUBLIC_URL, so no browser connects.`,
    );
  }
  const leftMs = validTo.getTime() - now;
  // Some live for six days, and are renewed when two are left.
  const warnedMs = Math.min(WARNED_MS, (validTo.getTime() - validFrom.getTime()) / 4);
  if (leftMs > warnedMs) return ok(`The certificate holds until ${until}.`);
  return warning(
    "certificate-ends",
    `The certificate ends in ${describeSeconds(leftMs / 1000)}, on ${until}. Renew it, or look in the log why it was not renewed.`,
  );
}
