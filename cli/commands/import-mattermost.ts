import { openMattermost } from "../../server/imports/mattermost/source.ts";
import { importCommand } from "./import-source.ts";

export const importMattermost = importCommand({
  kind: "mattermost",
  program: "Mattermost",
  files: ".zip",
  unpackedName: "import.jsonl",
  open: openMattermost,
});
