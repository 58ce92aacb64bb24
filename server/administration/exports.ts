import type { ModuleExports } from "../module-exports.ts";

/** The tables of `server/platform/`, which knows no subject and gives no exports itself. */
const platformTables = {
  event_queues: "Connections of clients.",
  events: "The log of changes leads from state to state. The records have the state.",
  last_mail: "It belongs to the installation.",
  log_positions: "Positions in the log, which the records name where they matter.",
  files_mark: "It belongs to the installation.",
  log_timeline: "It belongs to the installation.",
  mails: "What is to be mailed is no part of the organization's data.",
  migrations: "They belong to the installation.",
  organization_logs: "Counters of the log.",
  secret_check: "It belongs to the installation.",
};

const COUNTED = "The API has these figures.";

export const administrationExports: ModuleExports = {
  tables: [],
  leftOut: {
    ...platformTables,
    active_days: "Who was active is nobody's affair.",
    erasures: "Who was erased is the organization's own affair.",
    exports: "It lists the exports themselves.",
    own_data_copies: "It lists copies that people made for themselves.",
    statistics_channel_days: COUNTED,
    statistics_cursors: COUNTED,
    statistics_days: COUNTED,
  },
};
