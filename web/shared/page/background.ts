/** What goes on beside the screen. It begins when the first one is painted. */
import { noticeMessages } from "../notices/desktop-notices.ts";
import { followIconCount } from "../notices/icon-badge.ts";
import { keepVisits } from "../routing/visits.ts";
import { watchVersion } from "./new-version.ts";
import { reportOwnPresence } from "./report-presence.ts";

/** As long as the owner lives. */
export function runInBackground(): void {
  reportOwnPresence();
  watchVersion();
  noticeMessages();
  followIconCount();
  keepVisits();
}
