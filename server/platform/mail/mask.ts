/** Texts about mails without what would tell who gets them. */

import { escapeRegExp } from "../std/escape-regexp.ts";

/** A word of an address that others share: masking it would only garble the answer. */
const MIN_NAME_LENGTH = 3;
const MAX_ANSWER_LENGTH = 300;
/** A shorter part of a link is a word of its path. */
const MIN_SECRET_LENGTH = 16;
/** More than is kept, so that masking a long text takes no time. */
const MAX_READ_LENGTH = 2000;

/** `b…@ex.test` for `ben@ex.test`. A name with one character is left out whole. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 0) return "…";
  const [first = "", ...rest] = address.slice(0, at);
  return `${rest.length === 0 ? "" : first}…${address.slice(at)}`;
}

/**
 * An answer of a mail server as it may be stored and shown: one line of at most 300 characters, without
 * control characters, addresses, the recipient's name in them, and `secrets`.
 */
export function maskAnswer(answer: string, recipient: string, secrets: readonly string[] = []): string {
  let text = answer.slice(0, MAX_READ_LENGTH);
  // The end of the part may be half an address.
  if (answer.length > MAX_READ_LENGTH) text = text.replace(/\S*$/, "");
  text = hideSecrets(text, secrets);
  text = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  text = text.replace(/[^\s<>()"',;:]+@[^\s<>()"',;:]+/g, (address) => maskAddress(address));
  const name = recipient.slice(0, recipient.lastIndexOf("@"));
  if (name.length >= MIN_NAME_LENGTH) {
    const whole = `(?<![\\p{L}\\p{N}])${escapeRegExp(name)}(?![\\p{L}\\p{N}])`;
    text = text.replace(new RegExp(whole, "giu"), "…");
  }
  const characters = [...text];
  return characters.length > MAX_ANSWER_LENGTH
    ? `${characters.slice(0, MAX_ANSWER_LENGTH - 1).join("")}…`
    : text;
}

export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== "")
    .reduce((masked, secret) => masked.replaceAll(secret, "…"), text);
}

/** What in the links of a text works like a password. Filters of mail quote a link that they do not like. */
export function linkSecrets(text: string): string[] {
  const links = text.match(/https?:\/\/\S+/g) ?? [];
  const places = links.map((link) => link.replace(/^https?:\/\/[^/?#]*/, ""));
  return places.flatMap((place) => place.split(/[^\w-]+/)).filter((part) => part.length >= MIN_SECRET_LENGTH);
}
