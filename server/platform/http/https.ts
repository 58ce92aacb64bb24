import type { Server } from "node:http";
import type { TlsOptions } from "node:tls";
import type { ServedCertificate } from "../tls/served-certificate.ts";

/** The framework's options, for https if there is a certificate. `handshakeMs`: of a new connection. */
export function protocolOptions<T extends object>(
  http: T,
  certificate: ServedCertificate | undefined,
  handshakeMs: number,
): { http: T } {
  if (!certificate) return { http };
  const https = { ...http, ...tlsOptions(certificate), handshakeTimeout: handshakeMs };
  // Both kinds of servers have the same requests. The framework's types tell them apart all the same.
  return { https } as unknown as { http: T };
}

/** How to serve a certificate. Without one, handshakes fail until there is one. */
function tlsOptions({ current }: ServedCertificate): TlsOptions {
  return {
    ...(current && { cert: current.chain, key: current.key }),
    minVersion: "TLSv1.2",
    ALPNProtocols: ["http/1.1"],
  };
}

/** New connections get the newest certificate. Those of before go on. */
export function serveNewCertificates(server: Server, certificate: ServedCertificate | undefined): void {
  if (!certificate) return;
  const secure = server as Server & { setSecureContext(options: TlsOptions): void };
  certificate.onChange(() => secure.setSecureContext(tlsOptions(certificate)));
  certificate.start();
  server.once("close", () => certificate.stop());
}
