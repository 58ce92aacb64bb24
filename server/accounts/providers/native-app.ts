/** How native apps, which people sign in to by a browser, get what the browser has obtained. */
import { createCipheriv, randomBytes } from "node:crypto";
import type { NativeApp } from "./flow-cookie.ts";

/** The app makes up 32 bytes, and gives them in hexadecimal. undefined: no app asks. Throws `BadOtp`. */
export function parseNativeApp(query: Readonly<Record<string, unknown>>): NativeApp | undefined {
  const { mobile_flow_otp: mobile, desktop_flow_otp: desktop } = query;
  if (mobile === undefined && desktop === undefined) return undefined;
  const otp = mobile ?? desktop;
  const isOne = mobile === undefined || desktop === undefined;
  if (!isOne || typeof otp !== "string" || !/^[0-9a-f]{64}$/i.test(otp)) throw new BadOtp();
  return { kind: mobile === undefined ? "desktop" : "mobile", otp: otp.toLowerCase() };
}

export class BadOtp extends Error {}

/**
 * The address that opens the app. Another app may have claimed such addresses, so the key is encrypted with
 * the bytes that only the right app knows. They are as many as the key's letters, and used once.
 */
export function appAddress(
  otp: string,
  { site, email, userId, apiKey }: { site: string; email: string; userId: number; apiKey: string },
): string {
  const pad = Buffer.from(otp, "hex");
  const key = Buffer.from(apiKey, "ascii");
  if (key.length !== pad.length) throw new Error("an API key has another length than the pad");
  const encrypted = Buffer.from(key.map((byte, index) => byte ^ (pad[index] as number)));
  const query = new URLSearchParams({
    realm: site,
    email,
    user_id: String(userId),
    otp_encrypted_api_key: encrypted.toString("hex"),
  });
  return `zulip://login?${query}`;
}

/** The text that a person copies from the browser to the desktop app, which has the key to it. */
export function desktopCode(otp: string, token: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(otp, "hex"), nonce);
  const parts = [nonce, cipher.update(token, "utf8"), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString("hex");
}
