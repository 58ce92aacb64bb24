import type * as platform from "../../platform/queues/register.ts";
import type { Viewer } from "./viewer.ts";

export type Snapshot = platform.Snapshot<Viewer>;
export type RegisterSection = platform.RegisterSection<Viewer>;
