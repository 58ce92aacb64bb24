import type { ModuleParts } from "../module-parts.ts";
import { mailDigests, mailDigestsOf, mailDigestTo } from "./email/digest.ts";
import { MissedMessageFollower } from "./email/follower.ts";
import { forgetOldNews } from "./email/forget-old.ts";
import { mailMissedMessages, mailMissedMessagesTo } from "./email/mail-missed.ts";
import { mailWelcome, welcomeMails } from "./email/welcome.ts";
import { notificationExports } from "./exports.ts";
import { warnOfOldBackups } from "./system-messages/backup-warnings.ts";
import { channelMessages } from "./system-messages/channel-messages.ts";
import { groupMessages } from "./system-messages/group-messages.ts";
import { welcomeRoutes } from "./system-messages/handlers.ts";
import { joinMessages } from "./system-messages/join-messages.ts";
import { tellInviters } from "./undelivered/tell-inviters.ts";
import { warnOfStuckMails } from "./undelivered/warn-owners.ts";

export const notificationsModule: ModuleParts = {
  exports: notificationExports,
  beforeCommitHooks: () => [groupMessages, channelMessages, joinMessages, welcomeMails],
  routes: () => [...welcomeRoutes],
  jobs: [forgetOldNews, warnOfOldBackups, warnOfStuckMails, tellInviters],
  mailJobs: [mailMissedMessages, mailMissedMessagesTo, mailDigests, mailDigestsOf, mailDigestTo, mailWelcome],
  followers: (services, report) => [new MissedMessageFollower(services, report)],
};
