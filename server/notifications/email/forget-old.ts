/** Ends work that waited in vain for a process with mail settings. */
import { cancelUntaken } from "../../platform/jobs/enqueue.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import type { Services } from "../../services.ts";
import { mailDigestsOf, mailDigestTo } from "./digest.ts";
import { NEWS_HOURS } from "./find-missed.ts";
import { mailMissedMessagesTo } from "./mail-missed.ts";
import { deleteOldMissed } from "./store.ts";
import { mailWelcome } from "./welcome.ts";

const news = [mailMissedMessagesTo, mailDigestsOf, mailDigestTo, mailWelcome];

/**
 * Runs everywhere, since without mail settings nothing else ends this work. An installation that gets
 * settings later then mails nothing that is old.
 */
export const forgetOldNews = definePeriodicJob({
  name: "forget_old_news",
  schedule: "23 * * * *",
  isMadeUpFor: false,
  async run({ database }: Pick<Services, "database">) {
    await deleteOldMissed(database, NEWS_HOURS);
    await cancelUntaken(database, news, NEWS_HOURS);
  },
});
