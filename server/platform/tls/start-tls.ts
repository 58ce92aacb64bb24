import type { Server } from "node:http";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { certificateFilesOf, hostOf } from "./certificate-files.ts";
import { listenPlain } from "./plain-listener.ts";
import { ServedCertificate } from "./served-certificate.ts";
import type { TlsSettings } from "./settings.ts";

type Log = Pick<Logger, "error" | "info" | "warn">;
type AcmeSettings = Extract<TlsSettings, { kind: "acme" }>;
type TlsConfig = Pick<Config, "dataDir" | "host" | "httpPort" | "publicUrl" | "tls">;

/** The certificate to serve. undefined: the server speaks plain http. */
export function openCertificate(config: TlsConfig, log: Log): ServedCertificate | undefined {
  const files = certificateFilesOf(config);
  return files && new ServedCertificate(files, hostOf(config.publicUrl), log);
}

/**
 * Answers on the port of plain http and renews the certificate, once for all processes that serve it. Returns
 * how to stop that. `guard` bounds the connections of one address to that port.
 */
export async function startTls(
  config: TlsConfig,
  log: Log,
  guard: (server: Server) => void,
): Promise<() => Promise<void>> {
  const { tls, host, httpPort, publicUrl = "", dataDir } = config;
  if (!tls) return async () => {};
  const tokens = new Map<string, string>();
  const plain =
    httpPort === undefined
      ? undefined
      : await listenPlain({ host, port: httpPort }, publicUrl, tokens, guard);
  const openRenewal = async (settings: AcmeSettings, certificate: ServedCertificate) => {
    // The library of the protocol is large, and few need it.
    const { AcmeRenewal } = await import("./acme.ts");
    const name = hostOf(publicUrl);
    return new AcmeRenewal({ settings, dataDir, host: name, served: certificate, tokens, log });
  };
  const served = openCertificate(config, { ...log, info: () => {}, error: () => {} });
  const renewal = tls.kind === "acme" && served ? await openRenewal(tls, served) : undefined;
  renewal?.start();
  return async () => {
    renewal?.stop();
    plain?.closeAllConnections();
    await new Promise<void>((resolve) => (plain ? plain.close(() => resolve()) : resolve()));
  };
}
