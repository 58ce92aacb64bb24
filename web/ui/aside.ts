/** By how much an arrow to the side goes on in the reading direction; undefined for other keys. */
export function aside(key: string): number | undefined {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  return step && (document.dir === "rtl" ? -step : step);
}
