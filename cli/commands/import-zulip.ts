import { openZulip } from "../../server/imports/zulip/source.ts";
import { importCommand } from "./import-source.ts";

export const importZulip = importCommand({
  kind: "zulip",
  program: "Zulip",
  files: ".tar.gz",
  open: openZulip,
});
