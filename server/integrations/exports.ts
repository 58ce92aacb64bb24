import type { ModuleExports } from "../module-exports.ts";

export const integrationExports: ModuleExports = {
  tables: [],
  leftOut: {
    bot_storage: "What programs keep is theirs, and may be secret.",
    bots: "How bots are set up has secrets. The accounts of bots are among the users.",
    incoming_deliveries: "It keeps a webhook from posting twice.",
    webhook_deliveries: "Calls that are still to be made.",
  },
};
