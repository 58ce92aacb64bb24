import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { ApiError, errors } from "../../../../api/errors.ts";
import type { RawBody } from "../../../platform/http/raw-body.ts";
import type { Signature } from "./integration.ts";

/**
 * Checks what the sender signed against the secret of the address. With a secret, a request without a
 * signature is refused. So is a signature without a secret, since nobody could say whether it is right.
 * Without both there is nothing to check. Decision 25 has the reasons.
 */
export function checkSignature(
  signature: Signature | undefined,
  body: RawBody,
  secret: string | undefined,
): void {
  const given = (signature?.headers ?? []).flatMap((name) => body.header(name) ?? []);
  if (secret === undefined && given.length === 0) return;
  if (secret === undefined) throw new ApiError(errors.webhookSecretMissing);
  if (!signature || given.length === 0) throw new ApiError(errors.webhookSignatureMissing);
  const right = (signature.prefix ?? "") + rightValue(signature, body.bytes, secret);
  if (!given.every((value) => isEqual(value.trim(), right))) {
    throw new ApiError(errors.webhookSignatureWrong);
  }
}

function rightValue({ kind }: Signature, bytes: Buffer, secret: string): string {
  return kind === "token" ? secret : createHmac("sha256", secret).update(bytes).digest("hex");
}

/** Takes the same time wherever the texts differ, and whatever their lengths. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
