import path from "node:path";
import type { Config } from "../../config.ts";

export interface CertificateFiles {
  certificate: string;
  key: string;
}

/** Where a certificate from an authority is kept. */
export function certificateFilesIn(dataDir: string, host: string): CertificateFiles {
  const dir = path.join(dataDir, "tls");
  return { certificate: path.join(dir, `${host}.crt`), key: path.join(dir, `${host}.key`) };
}

/** Where the certificate of these settings is. undefined: the server speaks plain http. */
export function certificateFilesOf({
  tls,
  dataDir,
  publicUrl,
}: Pick<Config, "dataDir" | "publicUrl" | "tls">): CertificateFiles | undefined {
  if (!tls) return undefined;
  return tls.kind === "file" ? tls : certificateFilesIn(dataDir, hostOf(publicUrl));
}

/** The host name of people's address, for which the certificate is. */
export function hostOf(publicUrl = "https://localhost"): string {
  return new URL(publicUrl).hostname;
}
