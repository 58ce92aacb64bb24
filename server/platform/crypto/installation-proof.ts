/**
 * How an operator's command learns whose server answers at an address. It shows first that it has the
 * installation's secret, so strangers get no answer by which they could tell installations apart, or find the
 * machine behind a proxy.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Keyring } from "./keyring.ts";

export const INSTALLATION_HEADER = "Parley-Installation";

/** Under which host name the question arrived. A proxy may have put its own in the place of the one asked. */
export const ASKED_HOST_HEADER = "Parley-Asked-Host";

const QUESTION = /^([\w-]{22})\.([\w-]{43})$/;

type Key = Pick<Keyring, "hash">;

/** What to send in the header, and what the same installation sends back in it. */
export function askInstallation(key: Key): {
  question: string;
  answer: string;
  hostAnswer: (host: string) => string;
} {
  const nonce = randomBytes(16).toString("base64url");
  return {
    question: `${nonce}.${proof(key, "asks", nonce)}`,
    answer: proof(key, "answers", nonce),
    hostAnswer: (host) => proof(key, "was asked as", `${nonce} ${host}`),
  };
}

/** undefined: who asks has another secret, or asks nothing. `host` is the one that was asked for. */
export function answerInstallation(
  key: Key,
  question: string | readonly string[] | undefined,
  host = "",
): { answer: string; hostAnswer: string } | undefined {
  const [, nonce = "", given = ""] = QUESTION.exec(String(question ?? "")) ?? [];
  if (nonce === "") return undefined;
  const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(proof(key, "asks", nonce)));
  if (!isOurs) return undefined;
  return {
    answer: proof(key, "answers", nonce),
    hostAnswer: proof(key, "was asked as", `${nonce} ${host}`),
  };
}

/** Who asks and who answers have different proofs, so none can be sent back. */
function proof(key: Key, side: "asks" | "answers" | "was asked as", nonce: string): string {
  return key.hash(`this installation ${side}: ${nonce}`).toString("base64url");
}
