/**
 * The modules of the server, lowest first, and what their parts are together. What a module needs of later
 * ones is given to it here, as functions. A new feature is registered in the `parts.ts` of its module.
 */
import type { TObject } from "typebox";
import { ownLogin } from "./accounts/own-login/own-login.ts";
import { accountsModule } from "./accounts/parts.ts";
import { noteNewAddress } from "./accounts/proof/new-address.ts";
import { credentialHash } from "./accounts/sessions/credential-hash.ts";
import { administrationModule } from "./administration/parts.ts";
import { attentionModule } from "./attention/parts.ts";
import { joinDefaultChannels } from "./channels/defaults/join-default-channels.ts";
import { channelGroupUses } from "./channels/group-uses.ts";
import { channelsModule } from "./channels/parts.ts";
import { contentModule } from "./content/parts.ts";
import { groupsModule } from "./groups/parts.ts";
import { importsModule } from "./imports/parts.ts";
import { checkBotReturns } from "./integrations/bots/create-bot.ts";
import { defaultSendingChannelOf } from "./integrations/bots/default-channel.ts";
import { integrationsModule } from "./integrations/parts.ts";
import { messagesModule } from "./messages/parts.ts";
import { newestMessageId } from "./messages/query/fetch.ts";
import { readableUploads } from "./messages/uploads/readable-uploads.ts";
import type { ModuleExports } from "./module-exports.ts";
import type { ModuleParts, QueueContext } from "./module-parts.ts";
import { notificationsModule } from "./notifications/parts.ts";
import { organizationModule } from "./organization/parts.ts";
import { peopleModule } from "./people/parts.ts";
import { Quotas } from "./people/quotas/quotas.ts";
import type { RegisterSection } from "./people/viewer/register-section.ts";
import { personalModule } from "./personal/parts.ts";
import type { Bus } from "./platform/bus/bus.ts";
import type { Keyring } from "./platform/crypto/keyring.ts";
import type { FileRoute } from "./platform/http/file-routes.ts";
import type { Route } from "./platform/http/handler.ts";
import type { PageRoute } from "./platform/http/page-routes.ts";
import { forgetFailedJobs } from "./platform/jobs/forget-failed.ts";
import type { Job } from "./platform/jobs/job.ts";
import { type EntryDispatcher, type LogParts, logParts } from "./platform/log/log-parts.ts";
import { keepPartitions } from "./platform/log/partitions.ts";
import { eventSource } from "./platform/log/read-log.ts";
import { deliverMail, forgetOldMails } from "./platform/mail/enqueue.ts";
import type { Mailer } from "./platform/mail/mailer.ts";
import { mailPages } from "./platform/mail/pages.ts";
import { Dispatcher } from "./platform/queues/dispatcher.ts";
import { organizationQueues } from "./platform/queues/organization-queues.ts";
import { plainAudiences } from "./platform/queues/plain-audiences.ts";
import { profilesModule } from "./profiles/parts.ts";
import { setProfileData } from "./profiles/profile-fields/change-values.ts";
import { readEverybodysProfileData } from "./profiles/profile-fields/kept-values.ts";
import { readProfileData } from "./profiles/profile-fields/profile-data.ts";
import type { Services } from "./services.ts";
import { websiteModule } from "./website/parts.ts";

export const modules: readonly ModuleParts[] = [
  organizationModule,
  peopleModule({
    newestMessageId,
    joinDefaultChannels,
    readProfileData,
    readEverybodysProfileData,
    setProfileData({ config }) {
      const quotas = new Quotas(config);
      return (tx, target, data) => setProfileData(tx, quotas, target, data);
    },
    prepareOwnLogin: ownLogin,
    noteNewAddress,
    checkBotReturns,
  }),
  groupsModule({ groupUses: [channelGroupUses] }),
  channelsModule({ readProfileData }),
  contentModule({ readableUploads, credentialHash }),
  attentionModule,
  messagesModule({ defaultChannelOf: defaultSendingChannelOf }),
  profilesModule,
  accountsModule,
  notificationsModule,
  personalModule,
  integrationsModule({ registerSections: registerSectionsOfModules }),
  administrationModule({ exports: exportsOfModules }),
  websiteModule,
  importsModule,
];

export function dispatcherOfModules(context: QueueContext): Dispatcher {
  const parts = modules.flatMap(({ queues }) => queues?.(context) ?? []);
  const readerFilter = parts.find((part) => part.readerFilter)?.readerFilter;
  return new Dispatcher({
    audiences: [...plainAudiences, ...parts.flatMap(({ audiences = [] }) => audiences)],
    serializers: parts.flatMap(({ serializers = [] }) => serializers),
    replayFilters: parts.flatMap(({ replayFilters = [] }) => replayFilters),
    ...(readerFilter && { readerFilter }),
  });
}

export function logPartsOfModules(
  bus: Bus,
  keyring: Keyring,
  dispatcher: EntryDispatcher,
  report: (error: unknown) => void,
): LogParts {
  const made = { keyring };
  return logParts({
    projections: [organizationQueues, ...modules.flatMap(({ projections }) => projections?.(made) ?? [])],
    sources: [eventSource, ...modules.flatMap(({ sources = [] }) => sources)],
    beforeCommitHooks: modules.flatMap(({ beforeCommitHooks }) => beforeCommitHooks?.(made) ?? []),
    lastHooks: modules.flatMap(({ lastHooks = [] }) => lastHooks),
    listeners: modules.flatMap(({ listeners = [] }) => listeners),
    dispatcher,
    bus,
    report,
  });
}

export function registerSectionsOfModules(
  made: Pick<Services, "config" | "keyring">,
): readonly RegisterSection[] {
  return modules.flatMap(({ registerSections }) => registerSections?.(made) ?? []);
}

export function routesOfModules(services: Services): Route[] {
  return modules.flatMap(({ routes }) => routes?.(services) ?? []);
}

export function fileRoutesOfModules(services: Services): FileRoute[] {
  return modules.flatMap(({ fileRoutes }) => fileRoutes?.(services) ?? []);
}

/** A development server without mail settings keeps its mail, and shows it. */
export function pagesOfModules(services: Services): PageRoute[] {
  const { isDevelopment, mail } = services.config;
  return [
    ...modules.flatMap(({ pages }) => pages?.(services) ?? []),
    ...(isDevelopment && !mail ? mailPages(services) : []),
  ];
}

/** Addresses that are called like the API, and are no part of the contract. */
export const redirectsOfModules: readonly Route[] = modules.flatMap(({ redirects = [] }) => redirects);

export function exportsOfModules(): readonly ModuleExports[] {
  return modules.map(({ exports }) => exports);
}

/**
 * `canSend`: a process without mail settings leaves what is to be mailed to others, or to its next start.
 * A copy of an installation leaves calls of other hosts too.
 */
export function jobsOfModules(
  { canSend }: Pick<Mailer, "canSend">,
  isCopy = false,
): readonly Job<TObject, Services>[] {
  const mailJobs = [deliverMail, ...modules.flatMap((module) => module.mailJobs ?? [])];
  return [
    forgetFailedJobs,
    keepPartitions,
    forgetOldMails,
    ...modules.flatMap(({ jobs = [] }) => jobs),
    ...(canSend ? mailJobs : []),
    ...(isCopy ? [] : modules.flatMap(({ outwardJobs = [] }) => outwardJobs)),
  ];
}
