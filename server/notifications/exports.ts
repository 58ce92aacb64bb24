import type { ModuleExports } from "../module-exports.ts";

const MAIL = "What is to be mailed, or was, is no part of the organization's data.";

export const notificationExports: ModuleExports = {
  tables: [],
  leftOut: { digests: MAIL, mail_warnings: MAIL, missed_message_cursors: MAIL, missed_messages: MAIL },
};
