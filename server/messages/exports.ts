import type { ModuleExports } from "../module-exports.ts";
import { messageRecords } from "./export/read-messages.ts";

const INDEX = "The index of words is made from the messages.";

export const messageExports: ModuleExports = {
  tables: ["messages", "message_flags", "reactions", "submessages"],
  leftOut: {
    message_expiries: "It belongs to the server's job.",
    message_edits: "A message may have been moved out of a private channel. Its history could tell of that.",
    old_read_states: "It belongs to the server's job.",
    read_states: "What people have read is their own.",
    search_cursors: INDEX,
    search_outdated: INDEX,
    search_vocabulary: INDEX,
    search_words: INDEX,
    topic_read_states: "What people have read is their own.",
  },
  records: (request) => ({ messages: messageRecords(request) }),
};
