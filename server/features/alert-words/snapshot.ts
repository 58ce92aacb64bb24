import type { SnapshotSlice } from "../../platform/queues/register.ts";
import { alertWords } from "./alert-words.ts";

export const alertWordSnapshot: SnapshotSlice = ({ live, viewer, wants }) =>
  wants("alert_words") ? { alert_words: viewer ? live.get(alertWords).of(viewer.user.id) : [] } : undefined;
