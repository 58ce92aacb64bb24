/** PARLEY_TLS: how the server speaks https itself, for a site without a proxy. */
export type TlsSettings =
  /** Files in PEM form, which somebody else renews. */
  | { kind: "file"; certificate: string; key: string }
  /** A certificate authority that speaks ACME (RFC 8555). `mail`: where it writes if something is wrong. */
  | { kind: "acme"; mail: string; directory: string };

export const LETS_ENCRYPT = "https://acme-v02.api.letsencrypt.org/directory";

const FORMS = "Write file:CERTIFICATE,KEY with two files, or acme:MAIL with your address.";

/** Reads `file:CERTIFICATE,KEY`, `acme:MAIL` or `acme:MAIL,DIRECTORY`. Throws an Error with a sentence. */
export function parseTls(text: string): TlsSettings {
  const [, kind, first = "", second = ""] = /^(file|acme):([^,]+)(?:,(.+))?$/.exec(text) ?? [];
  if (kind === "file" && second !== "") return { kind, certificate: first.trim(), key: second.trim() };
  if (kind === "acme" && /^[^\s@]+@[^\s@]+$/.test(first)) {
    const directory = second.trim() || LETS_ENCRYPT;
    if (!URL.canParse(directory) || new URL(directory).protocol !== "https:")
      throw new Error(`the directory of the certificate authority begins with https://. ${FORMS}`);
    return { kind, mail: first, directory };
  }
  throw new Error(FORMS);
}
