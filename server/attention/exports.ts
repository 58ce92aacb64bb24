import type { ModuleExports } from "../module-exports.ts";

const PERSONAL = "It is a personal setting.";

export const attentionExports: ModuleExports = {
  tables: [],
  leftOut: { alert_words: PERSONAL, muted_users: PERSONAL, topic_policies: PERSONAL },
};
