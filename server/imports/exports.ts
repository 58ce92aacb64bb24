import type { ModuleExports } from "../module-exports.ts";

export const importsExports: ModuleExports = {
  tables: [],
  leftOut: {
    imports: "It says what the command line did.",
    import_sources: "Names of things in another chat.",
  },
};
