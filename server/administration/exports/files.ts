/** The stored files of an export, in its folder `files/`. A file that the storage has no more is left out. */
import type { ModuleExports } from "../../module-exports.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Archive } from "./archive.ts";

/** Writes all files that the modules give. Returns how many there are. */
export async function writeFiles(
  archive: Archive,
  storage: FileStorage,
  state: OrganizationState,
  { given, signal }: { given: readonly ModuleExports[]; signal: AbortSignal | undefined },
): Promise<number> {
  let count = 0;
  for (const { files } of given) {
    for await (const { key, name } of files?.(state) ?? []) {
      signal?.throwIfAborted();
      const opened = await storage.open(key);
      if (!opened) continue;
      await archive.addFile(`files/${name}`, opened.size, opened.stream);
      count++;
    }
  }
  return count;
}
