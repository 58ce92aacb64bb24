import type { ModuleExports } from "../module-exports.ts";
import { customEmoji } from "./emoji/custom-emoji.ts";
import { emojiFiles, emojiRecord } from "./emoji/export.ts";
import { linkifiers } from "./linkifiers/linkifier.ts";
import { presentLinkifier } from "./linkifiers/present.ts";
import { playgrounds } from "./playgrounds/playgrounds.ts";
import { presentPlayground } from "./playgrounds/present.ts";

export const contentExports: ModuleExports = {
  tables: ["custom_emoji", "linkifiers", "playgrounds"],
  leftOut: {
    external_images: "Copies of other hosts' pictures, which are fetched again.",
    external_pages: "What other hosts' pages say, which is fetched again.",
    files_to_delete: "A list of work to be done.",
    message_uploads: "Uploaded files are in no export.",
    partial_uploads: "Files that are still being uploaded.",
    upload_space: "A sum over the uploaded files.",
    uploads: "Uploaded files are in no export.",
  },
  records: ({ state }) => ({
    linkifiers: state.get(linkifiers).rows.map(presentLinkifier),
    playgrounds: state.get(playgrounds).rows.map(presentPlayground),
    emoji: [...state.get(customEmoji).byId.values()].map(emojiRecord),
  }),
  files: emojiFiles,
};
