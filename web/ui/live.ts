/**
 * From the plain state to the screen. An accessor reads the state, and again after one of its sources has
 * changed. A source has a signal only while a mounted component reads it.
 */
import { type Accessor, batch, createMemo, createSignal, onCleanup } from "solid-js";
import { type Changes, EVERY, type Source } from "../../client/changes.ts";

interface Version {
  read: Accessor<number>;
  raise(): void;
  readers: number;
}

const versions = new Map<Source, Version>();

/**
 * `sources`: names of subjects, or single keys such as `messages:12`. Objects change in place, so only plain
 * values are compared, unless `equals` says how. A list that is made each time may be compared by
 * `isSameList`.
 */
export function live<T>(
  sources: Source | readonly Source[],
  read: () => T,
  equals: (before: T, now: T) => boolean = isSamePlain,
): Accessor<T> {
  const used = [sources].flat().map(use);
  return createMemo(
    () => {
      for (const version of used) version.read();
      return read();
    },
    undefined,
    { equals },
  );
}

function isSamePlain(before: unknown, now: unknown): boolean {
  return before === now && (typeof before !== "object" || before === null);
}

/** Once for everything that changed, so that the screen is drawn once. */
export function publish(changes: Changes): void {
  changes.listen((changed) => {
    batch(() => {
      for (const [source, version] of [...versions]) if (isIn(source, changed)) version.raise();
    });
  });
}

function isIn(source: Source, changed: ReadonlySet<Source>): boolean {
  const colon = source.indexOf(":");
  return changed.has(source) || (colon > 0 && changed.has(`${source.slice(0, colon)}:${EVERY}`));
}

function use(source: Source): Version {
  const version = versions.get(source) ?? create(source);
  version.readers++;
  onCleanup(() => {
    if (--version.readers === 0) versions.delete(source);
  });
  return version;
}

function create(source: Source): Version {
  const [read, set] = createSignal(0);
  const version = { read, raise: () => set((count) => count + 1), readers: 0 };
  versions.set(source, version);
  return version;
}
