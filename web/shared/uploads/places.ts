/**
 * The place of a file in a text while it is on its way: a link without an address, whose label says so. It is
 * known by that in any language, since a text may be older than the page.
 */
import { t } from "../../i18n/t.ts";

const PLACE = /\[([^[\]\n]*…[^[\]\n]*)\]\(\)/g;

export function placeOfFile(name: string): string {
  return `[${t("upload.place", { name })}]()`;
}

/** What people read instead of a place while the message waits for the file. */
export function readPlaces(text: string): string {
  return text.replace(PLACE, "$1");
}

/** Files whose upload has ended without them have to be added again, and their places say so. */
export function endPlaces(text: string, underWay: readonly string[]): string {
  return text.replace(PLACE, (place) => (underWay.includes(place) ? place : plainFile(place)));
}

export function plainFile(place: string): string {
  return t("upload.addAgain", { name: nameIn(place) });
}

/** The whole label, if it was written in another language. */
function nameIn(place: string): string {
  const label = place.slice(1, place.lastIndexOf("]"));
  const [before = "", after = ""] = t("upload.place", { name: "\n" }).split("\n");
  const isOwn = label.startsWith(before) && label.endsWith(after);
  return isOwn ? label.slice(before.length, label.length - after.length) : label;
}
