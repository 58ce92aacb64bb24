const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** An amount of data for people, as in 3.4 MB. */
export function describeBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}
