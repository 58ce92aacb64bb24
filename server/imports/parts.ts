import type { ModuleParts } from "../module-parts.ts";
import { importsExports } from "./exports.ts";

export const importsModule: ModuleParts = { exports: importsExports };
