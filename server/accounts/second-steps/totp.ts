/** Codes of authenticator apps (RFC 6238), which change every 30 seconds. */
import { Secret, TOTP } from "otpauth";

const PERIOD_SECONDS = 30;
/** Clocks may differ by one step. */
const WINDOW = 1;
/** What all apps know. */
const FORM = { algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS } as const;

/** In base32, as people type it. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that an app reads from a picture. */
export function totpUri(secret: string, issuer: string, label: string): string {
  // Apps take a colon in a name for the end of the issuer.
  const named = issuer.replaceAll(":", " ");
  return new TOTP({ ...FORM, issuer: named, label, secret: Secret.fromBase32(secret) }).toString();
}

/** What an app shows at a time. Tests stand in for one. */
export function codeAt(secret: string, now: number = Date.now()): string {
  return new TOTP({ ...FORM, secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
}

/** The time step whose code this is. undefined: it is that of no step near the present one. */
export function stepOf(secret: string, code: string, now: number = Date.now()): number | undefined {
  const totp = new TOTP({ ...FORM, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}
