import { escaped } from "./escaped.ts";

/**
 * A link, or its text where the address is of a kind that does not become one. `referenceTo`: a reference in
 * place of an address of the source itself, by the address and how it is written here.
 */
export function link(
  address: string,
  label: string,
  referenceTo: (address: string, url: string) => string | undefined = () => undefined,
): string {
  const mail = /^(?:mailto|tel):(.*)$/.exec(address)?.[1];
  if (mail !== undefined) return label === "" || label === mail ? mail : escaped(`${label} (${mail})`);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return escaped(label || address);
  const url = address.replace(/[()\s<>[\]]/g, (character) =>
    encodeURIComponent(character).replace("(", "%28").replace(")", "%29"),
  );
  const reference = referenceTo(address, url);
  if (label === "" || label === address)
    return reference === undefined ? url : `[${escaped(url)}](${reference})`;
  return `[${labelOf(label)}](${reference ?? url})`;
}

/** What may stand between the brackets of a link. */
export function labelOf(text: string): string {
  return escaped(text.replace(/[[\]\n]/g, " ").trim());
}
