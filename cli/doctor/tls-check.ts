import type { Config } from "../../server/config.ts";
import { checkCertificate } from "../../server/platform/health/certificate-part.ts";
import { faultOf } from "../../server/platform/health/finding.ts";
import { certificateFilesOf, hostOf } from "../../server/platform/tls/certificate-files.ts";
import { type Finding, failed, passed, warned } from "./checks.ts";

/** What doctor says of the certificate in PARLEY_TLS. undefined: the server speaks plain http. */
export function checkTls(config: Config): Finding | undefined {
  const files = certificateFilesOf(config);
  if (!files) return undefined;
  const finding = checkCertificate(files, hostOf(config.publicUrl));
  const { level, code, sentence } = finding;
  const fault = faultOf(finding);
  if (fault === undefined) return passed(sentence);
  if (config.tls?.kind === "acme" && code === "certificate-unreadable")
    return warned(
      "certificate-none",
      "There is no certificate yet.",
      "The server asks for one when it starts, and its log says why if it gets none.",
    );
  const advice = "docs/running.md says how the server speaks https.";
  return level === "warning" ? warned(fault, sentence, advice) : failed(fault, sentence, advice);
}
