/**
 * How an operator's command learns whose server answers at an address. It shows first that it has the
 * installation's secret, so strangers get no answer by which they could tell installations apart, or find the
 * machine behind a proxy.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Keyring } from "./keyring.ts";

export const INSTALLATION_HEADER = "Parley-Installation";

const QUESTION = /^([\w-]{22})\.([\w-]{43})$/;

type Key = Pick<Keyring, "hash">;

/** What to send in the header, and what the same installation sends back in it. */
export function askInstallation(key: Key): { question: string; answer: string } {
  const nonce = randomBytes(16).toString("base64url");
  return { question: `${nonce}.${proof(key, "asks", nonce)}`, answer: proof(key, "answers", nonce) };
}

/** undefined: who asks has another secret, or asks nothing. */
export function answerInstallation(
  key: Key,
  question: string | readonly string[] | undefined,
): string | undefined {
  const [, nonce = "", given = ""] = QUESTION.exec(String(question ?? "")) ?? [];
  if (nonce === "") return undefined;
  const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(proof(key, "asks", nonce)));
  return isOurs ? proof(key, "answers", nonce) : undefined;
}

/** Who asks and who answers have different proofs, so none can be sent back. */
function proof(key: Key, side: "asks" | "answers", nonce: string): string {
  return key.hash(`this installation ${side}: ${nonce}`).toString("base64url");
}
