/**
 * The addresses under which messages show pictures of other hosts. Such an address holds the original one,
 * and a keyed digest of it and of the organization. So only what this server has put into HTML is ever
 * fetched. The digest is the permission: programs load pictures without credentials.
 */
import { timingSafeEqual } from "node:crypto";
import type { OrganizationId } from "../../../api/ids.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Projection } from "../../platform/log/projection.ts";

export const FOLDER = "/external_content/";

/** The length of the original address, in bytes. Its hexadecimal form must fit into a part of a path. */
const MAX_BYTES = 2000;
const DIGEST = /^[0-9a-f]{64}$/;
const HEX = /^(?:[0-9a-f]{2})+$/;
/** Pictures that are never shown, whatever their host says: the server reads none of these formats. */
const UNREAD = /\.(bmp|ico|svgz?|tiff?|heic|heif)$/i;

interface ExternalAddresses {
  /** The path of a picture; null for one that is not shown. */
  imagePath(url: string): string | null;
}

/** Makes the addresses known where texts are rendered. No entry of the log changes it. */
export function externalAddresses(keyring?: Keyring): Projection<ExternalAddresses> {
  return {
    name: "external_addresses",
    isAdvisory: true,
    load: async (_tx, organizationId) => ({
      imagePath: (url) => (keyring ? imagePath(keyring, organizationId, url) : null),
    }),
    apply() {},
  };
}

/** The path under which this server shows a picture of another host; null for one that is not shown. */
export function imagePath(keyring: Keyring, organizationId: OrganizationId, url: string): string | null {
  const isTooLong = Buffer.byteLength(url) > MAX_BYTES;
  if (isTooLong || !isOutsideUrl(url) || UNREAD.test(url.replace(/[?#].*$/, ""))) return null;
  const digest = digestOf(keyring, organizationId, url).toString("hex");
  return `${FOLDER}${digest}/${Buffer.from(url).toString("hex")}`;
}

/** Whether it is an address of the web, without a user name in it. */
export function isOutsideUrl(url: string): boolean {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === "" && password === "";
}

export interface ExternalAddress {
  url: string;
  digest: Buffer;
}

/** What the two last parts of a path say; undefined if the path was not made for this organization. */
export function readAddress(
  keyring: Keyring,
  organizationId: OrganizationId,
  given: { digest: string; hex: string },
): ExternalAddress | undefined {
  if (!DIGEST.test(given.digest) || !HEX.test(given.hex)) return undefined;
  const url = Buffer.from(given.hex, "hex").toString();
  const digest = digestOf(keyring, organizationId, url);
  return timingSafeEqual(Buffer.from(given.digest, "hex"), digest) ? { url, digest } : undefined;
}

const ADDRESSES = /\/external_content\/([0-9a-f]{64})\/((?:[0-9a-f]{2})+)/g;

/** The HTML with the addresses that one secret has made as another one makes them. Others stay. */
export function signAgain(html: string, organizationId: OrganizationId, from: Keyring, to: Keyring): string {
  return html.replace(ADDRESSES, (address, digest: string, hex: string) => {
    const read = readAddress(from, organizationId, { digest, hex });
    return read ? `${FOLDER}${digestOf(to, organizationId, read.url).toString("hex")}/${hex}` : address;
  });
}

function digestOf(keyring: Keyring, organizationId: OrganizationId, url: string): Buffer {
  return keyring.signAddress(`${organizationId} ${url}`);
}
