/**
 * What the browser keeps beyond the page. Storage may be full or forbidden, and then what is written stays in
 * memory: it serves this page, and is gone with it. Nothing here throws.
 */

/** `tab`: for as long as the tab is open, and for no other one. */
type Area = "browser" | "tab";
type StoredListener = (key: string, value: string | undefined, before: string | undefined) => void;

/** What could not be stored. Undefined hides an older value that is still in the storage. */
const unstored = new Map<string, string | undefined>();

export function readStored(key: string, area: Area = "browser"): string | undefined {
  if (unstored.has(key)) return unstored.get(key);
  return attempt(() => storageOf(area).getItem(key)) ?? undefined;
}

/** Whether it outlives the page. */
export function writeStored(key: string, value: string, area: Area = "browser"): boolean {
  const isStored = attempt(() => {
    storageOf(area).setItem(key, value);
    return true;
  });
  if (isStored) unstored.delete(key);
  else unstored.set(key, value);
  return isStored ?? false;
}

export function removeStored(key: string, area: Area = "browser"): void {
  const isRemoved = attempt(() => {
    storageOf(area).removeItem(key);
    return true;
  });
  if (isRemoved) unstored.delete(key);
  else unstored.set(key, undefined);
}

/** The keys that begin so. */
export function listStored(prefix: string): string[] {
  const stored = attempt(() => Object.keys(localStorage)) ?? [];
  const keys = new Set([...stored, ...unstored.keys()].filter((key) => key.startsWith(prefix)));
  return [...keys].filter((key) => !unstored.has(key) || unstored.get(key) !== undefined);
}

/** Everything, of the tab too. */
export function clearStored(): void {
  unstored.clear();
  for (const area of ["browser", "tab"] as const) attempt(() => storageOf(area).clear());
}

/** Hears what other tabs write and remove. Gives what ends that. */
export function onStoredChange(prefix: string, listener: StoredListener): () => void {
  const onStorage = ({ key, newValue, oldValue }: StorageEvent) => {
    if (key?.startsWith(prefix)) listener(key, newValue ?? undefined, oldValue ?? undefined);
  };
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}

/** What is kept as JSON; null for nothing, undefined for what is no JSON. */
export function readStoredJson(key: string): unknown {
  try {
    return JSON.parse(readStored(key) ?? "null");
  } catch {
    return undefined;
  }
}

/** The property itself throws where storage is forbidden. */
function storageOf(area: Area): Storage {
  return area === "tab" ? sessionStorage : localStorage;
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
