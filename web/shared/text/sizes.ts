import { language } from "../../i18n/t.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** A number of bytes, for people. */
export function sizeText(bytes: number): string {
  const [value, unit] = inUnit(bytes);
  return `${new Intl.NumberFormat(language(), { maximumFractionDigits: 1 }).format(value)} ${unit}`;
}

function inUnit(bytes: number): [number, string] {
  if (bytes >= GIB) return [bytes / GIB, "GiB"];
  return bytes >= MIB / 10 ? [bytes / MIB, "MiB"] : [bytes / 1024, "KiB"];
}
