/** The pictures that this page has uploaded, so that none is fetched again to be shown beside its text. */

const MAX_KEPT = 40;
const TYPES = /^image\/(avif|gif|jpeg|png|webp)$/;

const byAddress = new Map<string, string>();

/** An address of the file in this page, if browsers can draw it. */
export function pictureOf(file: File): string | undefined {
  return TYPES.test(file.type) ? URL.createObjectURL(file) : undefined;
}

export function keepPicture(address: string, picture: string): void {
  byAddress.set(address, picture);
  const [oldest] = byAddress;
  if (!oldest || byAddress.size <= MAX_KEPT) return;
  byAddress.delete(oldest[0]);
  URL.revokeObjectURL(oldest[1]);
}

export function shownPicture(address: string): string | undefined {
  return byAddress.get(address);
}
