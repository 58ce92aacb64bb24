/** What a client program says of itself, as far as people recognize it. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPad|iOS)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\b(?:Mac OS X|Macintosh|macOS)\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];
const MAX_READ = 512;
const MAX_NAME = 30;

/** Such as "Firefox on Linux". Versions are left out, so a program stays the same after an update. */
export function deviceName(userAgent: string | undefined): string {
  const text = (userAgent ?? "").slice(0, MAX_READ);
  const [own = ""] = /^[A-Za-z][A-Za-z _-]*/.exec(text) ?? [];
  const isBrowser = own.startsWith("Mozilla");
  const program = isBrowser ? named(text, BROWSERS) : own.trim().slice(0, MAX_NAME) || undefined;
  const system = named(text, SYSTEMS);
  const known = program ?? (isBrowser ? "A browser" : "An unknown program");
  return system === undefined ? known : `${known} on ${system}`;
}

function named(text: string, among: readonly [RegExp, string][]): string | undefined {
  return among.find(([pattern]) => pattern.test(text))?.[1];
}
