import type { Archive } from "./unpack.ts";

/** What wrote an archive, as commands name it. */
export const archiveKinds = {
  zulip: "an export of Zulip",
  parley: "an export of Parley",
  slack: "an export of Slack",
  mattermost: "an export of Mattermost",
  discord: "an export of Discord",
} as const;

export type ArchiveKind = keyof typeof archiveKinds;

/** Told by the names of its files. undefined: none that is known. */
export function kindOf({ files }: Archive): ArchiveKind | undefined {
  if (files.has("realm.json") && files.has("stats.json")) return "zulip";
  if (files.has("realm.json") && files.has("messages-000001.json")) return "zulip";
  if (files.has("format.json") && [...files.keys()].some((name) => /^(organization|tables)\//.test(name))) {
    return "parley";
  }
  if (files.has("channels.json") && files.has("users.json")) return "slack";
  if (recordsOfMattermost(files) !== undefined) return "mattermost";
  return undefined;
}

/** The file that has all records of such an export. Older ones have another name for it. */
export function recordsOfMattermost(files: Archive["files"]): string | undefined {
  if (files.has("import.jsonl")) return "import.jsonl";
  return [...files.keys()].find((name) => /^[^/]+\.jsonl$/.test(name));
}
