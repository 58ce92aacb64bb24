// The modules of server/, lowest first: a module imports only from modules before it. tools/check-imports.js
// refuses what this table refuses. tools/architecture.js makes docs/architecture.md, a part of
// docs/README.md and .github/CODEOWNERS of it.

/**
 * A folder of a module. One that is a subject of its own has a row in the map: `api`, `events` and `client`
 * name its files there, where they are not named like the folder, and `page` the page that explains it.
 * @typedef {object} Feature
 * @property {string} [subject] its name in the map, where it is not the folder's
 * @property {string[]} [api]
 * @property {string} [events]
 * @property {string} [client]
 * @property {string[]} [server] all its folders, where there are more
 * @property {string} [page] in docs/. Without it there is no row
 */

/**
 * The feature "" lies at the module's root. Names of files are without `.ts`. Each file in the lists is used
 * there; what is in none of them is the module's own.
 * @typedef {object} Module
 * @property {string} name
 * @property {string} says what it is for
 * @property {Record<string, Feature>} features
 * @property {string[]} interface what later modules may import
 * @property {string[]} commands what `cli/` may import besides
 * @property {string[]} tests what `test/`, `bench/` and tests of other modules may import besides
 */

/** @param {string} text */
const words = (text) => text.trim().split(/\s+/);

/** @type {Module[]} */
export const modules = [
  {
    name: "organization",
    says: "the organization itself, which addresses it takes, and the record of changes",
    features: {
      "": {
        subject: "organization",
        server: ["organization", "administration/settings"],
        page: "storage.md",
      },
      "allowed-emails": {},
      "audit-log": {},
    },
    interface: words(`
      actions allowed-emails/actions allowed-emails/allowed-domains allowed-emails/check-email
      allowed-emails/present audit-log/changes audit-log/erase audit-log/read audit-log/record create description names
      organization organizations pictures setting site
    `),
    commands: words("audit-log/prune deactivate list-all"),
    tests: words("store"),
  },
  {
    name: "people",
    says: "the accounts of people and bots, who asks, and how a change is made in their name",
    features: {
      "": {
        subject: "people",
        api: ["users", "update-users", "deactivate-users"],
        events: "users",
        client: "users",
        page: "users.md",
      },
      access: {},
      deactivate: {},
      email: {},
      pictures: {},
      settings: {},
      update: {},
      viewer: {},
      quotas: { page: "running.md#limits" },
    },
    interface: words(`
      access/access access/guest-contacts access/unknown-people access/unknown-user access/user-access
      actions activity api-keys create-person credentials deactivate/erase email/email-visibility email/free-email
      email/hidden-email email/several-organizations export-consent free-name names notification-bot
      own-login past pictures/picture pictures/picture-changes present profile-data quotas/quotas
      settings/update-settings settings/user-setting update/update-user user viewer/change
      viewer/current-viewer viewer/own-lists viewer/own-text viewer/page viewer/read
      viewer/register-section viewer/route viewer/viewer waiting-period
    `),
    commands: words("deactivate/deactivate deactivate/reactivate update/permit-email-changes"),
    tests: words("api-key-store quotas/store"),
  },
  {
    name: "groups",
    says: "user groups, and the values of permissions",
    features: {
      "": {
        subject: "groups",
        api: ["groups", "group-members"],
        events: "groups",
        client: "groups",
        page: "groups.md",
      },
    },
    interface: words(`
      access account-changes change-members create events group-history group-setting group-value group
      guest-limit past permissions preview uses
    `),
    commands: [],
    tests: [],
  },
  {
    name: "channels",
    says: "channels and subscriptions, topics and conversations, and whom limited guests know",
    features: {
      "": {
        subject: "channels",
        api: ["channels", "new-channel", "update-channel"],
        events: "channels",
        client: "channels",
        page: "channels.md",
      },
      create: {},
      export: {},
      defaults: {
        subject: "default channels",
        api: ["default-channels"],
        events: "default-channels",
        client: "default-channels",
        page: "channels.md",
      },
      folders: {
        subject: "channel folders",
        api: ["channel-folders"],
        events: "channel-folders",
        client: "folders",
        page: "channels.md#folders",
      },
      "guest-access": { page: "users.md" },
      history: {},
      recipients: { subject: "topics and conversations", page: "messages.md" },
      subscriptions: {
        api: ["subscriptions"],
        events: "subscriptions",
        client: "subscriptions",
        page: "channels.md",
      },
      update: {},
      visibility: {},
    },
    interface: words(`
      access channel create/create defaults/actions defaults/default-groups
      defaults/join-default-channels events export/scope folders/actions guest-access/access-changes
      guest-access/announce history/history moderation-channel past permissions recipients/conversation-store
      recipients/recipients recipients/topic-name recipients/topic-store recipients/topics
      subscriptions/interval-bounds subscriptions/mail-choices subscriptions/muted-channels
      subscriptions/preferences subscriptions/subscribe-by-name subscriptions/subscribe
      subscriptions/subscriber-lists subscriptions/subscribers subscriptions/visible-channels topics-policy
      update/changes visibility/audiences visibility/past-privacy visibility/visibility-changes
    `),
    commands: words("names update/update"),
    tests: words("history/history-changes visibility/new-full-members"),
  },
  {
    name: "content",
    says: "what texts and pictures are made of",
    features: {
      "": { subject: "rendering", page: "markdown.md" },
      avatars: { page: "files.md" },
      emoji: { page: "files.md#custom-emoji" },
      "external-content": {
        page: "previews.md",
        server: ["content/external-content", "messages/link-previews"],
      },
      linkifiers: { page: "markdown.md#what-organizations-bring" },
      "organization-pictures": { page: "files.md" },
      playgrounds: { page: "markdown.md#what-organizations-bring" },
      uploads: { page: "uploads.md" },
    },
    interface: words(`
      avatars/actions avatars/pictures emoji/reference external-content/addresses external-content/linked-pages
      linkifiers/linkifier linkifiers/web-template moved-files past rendering uploads/erase uploads/grouped-links uploads/links uploads/path uploads/present uploads/receive
      uploads/thumbnail-formats uploads/upload
    `),
    commands: words("names-files"),
    tests: words(`
      emoji/actions emoji/custom-emoji emoji/store linkifiers/actions
      playgrounds/actions uploads/clean-up
    `),
  },
  {
    name: "attention",
    says: "what each person wants to hear of",
    features: {
      "alert-words": { page: "user-topics.md#alert-words" },
      "muted-users": { page: "user-topics.md#muted-users" },
      "user-topics": { page: "user-topics.md" },
    },
    interface: words(`
      alert-words/alert-words muted-users/muted-users user-topics/actions user-topics/events user-topics/grouped-policies user-topics/past
      user-topics/policy user-topics/topic-policies
    `),
    commands: [],
    tests: [],
  },
  {
    name: "messages",
    says: "writing, finding, reading and answering messages",
    features: {
      "": {
        subject: "messages",
        api: ["messages", "edit-message", "delete-messages"],
        events: "messages",
        client: "messages",
        page: "messages.md",
      },
      delete: {},
      delivery: {},
      edit: {},
      erasure: {},
      export: {},
      flags: { client: "starred", page: "read-state.md" },
      history: {},
      "link-previews": {},
      mentions: {},
      model: {},
      move: {},
      polls: { client: "messages", page: "reactions.md#polls-and-lists-of-tasks" },
      query: {},
      reactions: { client: "messages", page: "reactions.md" },
      "read-state": { events: "flags", client: "unreads", page: "read-state.md" },
      reports: { page: "spec.md#e8-report-a-message" },
      retention: {
        api: ["message-retention"],
        events: "messages",
        client: "messages",
        page: "storage.md#jobs-and-retention",
      },
      search: { page: "search.md" },
      send: {},
      typing: { page: "reactions.md#typing" },
      uploads: {},
    },
    interface: words(`
      access delivery/message-log erasure/erase-messages erasure/neutral-name export/own-messages for-mail mentions/added-mentions mentions/bot-calls model/content
      model/markdown-text model/message model/present move/moved-topics past past-messages query/narrow/event-narrow
      query/newest-in-topic search/lag send/addressee send/batch send/post send/send
    `),
    commands: words("move/merge-topics"),
    tests: words(`
      delete/delete edit/edit polls/actions query/page/page query/page/page-request
      read-state/read-state-lock read-state/store retention/expire search/cursor-store search/follower
      search/index-messages
    `),
  },
  {
    name: "profiles",
    says: "what people show of themselves",
    features: {
      presence: { page: "presence.md" },
      "profile-fields": { page: "users.md#custom-profile-fields" },
      "user-status": { page: "presence.md#statuses" },
    },
    interface: words(`
      presence/presences profile-fields/change-values profile-fields/neutralize-values user-status/actions
    `),
    commands: [],
    tests: words("presence/actions presence/exchange profile-fields/actions"),
  },
  {
    name: "accounts",
    says: "how somebody gets in, stays in, and is thrown out",
    features: {
      invitations: { page: "accounts.md" },
      "mail-preferences": { page: "mail.md" },
      "mailed-codes": { subject: "links by mail", page: "accounts.md" },
      "own-login": { subject: "one's own address and password", page: "accounts.md" },
      passkeys: { page: "accounts.md#passkeys" },
      "password-reset": { page: "accounts.md" },
      proof: { subject: "proof of who one is", page: "accounts.md#second-steps" },
      providers: { subject: "sign-in providers", page: "accounts.md" },
      "second-steps": { page: "accounts.md#second-steps" },
      "secret-reset": { page: "storage.md#secrets" },
      "secret-rotation": { page: "storage.md#secrets" },
      sessions: { page: "accounts.md" },
      "sign-in": { page: "storage.md#secrets" },
      "sign-in-notices": { page: "mail.md" },
      "sign-up": { page: "accounts.md" },
    },
    interface: words(`
      invitations/announce invitations/inviters mail-preferences/links mail-preferences/person-mail mailed-codes/asked-mails
      mailed-codes/forget-requests proof/notice second-steps/second-steps sessions/credential-hash
      sessions/page-session sessions/pages sign-in/failures
    `),
    commands: words(
      "invitations/access invitations/actions password-reset/operator-link proof/operator-address providers/identities sessions/operator-sessions second-steps/actions secret-reset/reset secret-rotation/rotate sign-in/sign-in sign-in/unlock",
    ),
    tests: words(`
      invitations/store password-reset/reset-password proof/check providers/flow-cookie providers/steps
      second-steps/recovery-codes second-steps/totp sessions/live-sessions
      sessions/start sessions/store sign-in/authenticate sign-up/sign-up
    `),
  },
  {
    name: "notifications",
    says: "what the service says of its own accord",
    features: {
      email: { subject: "mail to people", page: "mail.md" },
      "system-messages": { page: "channels.md#creating-and-subscribing" },
      undelivered: { subject: "mails that do not arrive", page: "running.md#mail" },
    },
    interface: [],
    commands: words("undelivered/discard"),
    tests: words("email/follower email/mail-missed"),
  },
  {
    name: "personal",
    says: "what people keep for themselves, now or for later",
    features: {
      drafts: { page: "own-lists.md#drafts" },
      "navigation-views": { page: "own-lists.md#navigation-views" },
      "onboarding-steps": { page: "own-lists.md#onboarding-steps" },
      "push-devices": { page: "own-lists.md#mobile-devices" },
      reminders: { page: "messages.md#messages-for-later" },
      "saved-snippets": { page: "own-lists.md#saved-snippets" },
      "scheduled-messages": { page: "messages.md#messages-for-later" },
    },
    interface: words(`
      drafts/actions navigation-views/actions past reminders/actions reminders/neutralize saved-snippets/actions
      scheduled-messages/actions scheduled-messages/neutralize
    `),
    commands: [],
    tests: [],
  },
  {
    name: "integrations",
    says: "what other programs use, and what the server calls for them",
    features: {
      "api-reference": { subject: "API reference", page: "spec.md" },
      bots: { page: "bots.md" },
      mcp: { subject: "assistants", page: "mcp.md" },
      "real-time": {
        client: "model",
        page: "life-of-an-event.md",
        server: ["integrations/real-time", "platform/queues"],
      },
      webhooks: { api: ["incoming-webhooks", "outgoing-webhooks"], page: "webhooks.md" },
    },
    interface: [],
    commands: words("bots/create-bot bots/payload-url"),
    tests: words(`
      api-reference/quick-start api-reference/samples webhooks/incoming/integration
      webhooks/incoming/outside-text
    `),
  },
  {
    name: "administration",
    says: "what administrators set, look up and take away",
    features: {
      "audit-log": {
        server: ["administration/audit-log", "organization/audit-log"],
        page: "audit-log.md",
      },
      domains: {
        page: "users.md#which-addresses-the-organization-takes",
        server: ["administration/domains", "organization/allowed-emails"],
      },
      erasure: { page: "users.md#erasing-a-person", api: ["erase-user"] },
      exports: { page: "exports.md" },
      kept: { page: "what-is-kept.md" },
      "own-data": { page: "exports.md#ones-own-data" },
      statistics: { page: "statistics.md" },
      settings: {
        subject: "organization settings",
        api: ["organization", "organization-settings"],
        events: "organization",
        client: "organization",
        page: "settings.md",
      },
    },
    interface: words(`
      exports/whole/columns exports/whole/files exports/whole/tables exports/write settings/update-organization
    `),
    commands: words(
      "erasure/actions erasure/finish erasure/preview exports/actions exports/whole/write kept/room own-data/write own-data/record statistics/read statistics/storage statistics/present",
    ),
    tests: words("kept/tables statistics/count"),
  },
  {
    name: "website",
    says: "what a browser sees before there is an account",
    features: {
      demo: { page: "running.md#starting-and-stopping" },
      operator: { subject: "the operator's page", page: "running.md#the-operators-page" },
      help: { subject: "help for people" },
      setup: { page: "running.md#starting-and-stopping" },
      "web-client": { page: "web-client.md" },
    },
    interface: words("setup/invitations"),
    commands: words("demo/cast demo/create-demo setup/create-organization"),
    tests: words("help/sources"),
  },
  {
    name: "imports",
    says: "how an organization comes here from another chat",
    features: {
      archive: {},
      core: { subject: "imports", page: "imports.md" },
      mattermost: {},
      parley: {},
      slack: {},
      texts: {},
      zulip: {},
    },
    interface: [],
    commands: words(
      "archive/archive-error archive/kind archive/unpack core/cancel core/import core/import-lock core/records core/report mattermost/source parley/check parley/write slack/source zulip/source",
    ),
    tests: [],
  },
];

/**
 * The stores that an interface may list, with the reason. A store asks no access and writes no event, so what
 * another module needs is an action in most cases.
 * @type {Record<string, string>}
 */
export const publicStores = {
  "channels/recipients/conversation-store": "messages make conversations in their own transactions",
  "channels/recipients/topic-store": "messages make topics in their own transactions",
};

/**
 * A sentence for each store in an interface that has no reason, and for each reason that has no store.
 * @param {Pick<Module, "name" | "interface" | "commands">[]} table @param {Record<string, string>} reasons
 * @returns {string[]}
 */
export function wrongStores(table, reasons) {
  const listed = table
    .flatMap((module) => [...module.interface, ...module.commands].map((name) => `${module.name}/${name}`))
    .filter((name) => /(\/|-)store$/.test(name));
  return [
    ...listed
      .filter((name) => !Object.hasOwn(reasons, name))
      .map(
        (name) =>
          `tools/modules.js lists the store ${name}: let its module have an action for it, or say in publicStores why not.`,
      ),
    ...Object.keys(reasons)
      .filter((name) => !listed.includes(name))
      .map((name) => `publicStores in tools/modules.js has ${name}, which no interface lists: take it out.`),
  ];
}
