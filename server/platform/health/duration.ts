/** A time for people, in the largest unit of which there are at least two: "90 seconds", "5 hours". */
export function describeSeconds(seconds: number): string {
  const units: [number, string][] = [
    [86_400, "days"],
    [3600, "hours"],
    [60, "minutes"],
  ];
  const [size, name] = units.find(([each]) => seconds >= 2 * each) ?? [1, "seconds"];
  return `${Math.round(seconds / size)} ${name}`;
}
