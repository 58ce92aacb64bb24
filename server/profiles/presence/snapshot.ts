import { registerPresence } from "../../../api/register/presence.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { noPresences, presentPresences } from "./present.ts";

export const presenceSection = sectionOf(registerPresence, ({ viewer, options, wants, ...snapshot }) => {
  if (!wants("presence")) return undefined;
  if (!viewer) return { ...noPresences, server_timestamp: Date.now() / 1000 };
  return presentPresences(viewer, {
    isSlim: options.slimPresence || options.capabilities.simplified_presence_events === true,
    sinceUpdateId: undefined,
    historyLimitDays: snapshot.presenceHistoryLimitDays,
  });
});
