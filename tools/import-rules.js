// Which part of the tree may import which. tools/check-imports.js reads it.

/**
 * What a top folder may import: other folders of ours, npm packages, Node's modules. The deepest folder that matches
 * counts; folders that are not listed (tests, benches, tools) may import anything, and nothing may import them.
 * @type {Record<string, { folders: string[], packages?: string[], node: boolean }>}
 */
export const table = {
  api: { folders: [], packages: ["typebox"], node: false },
  markdown: { folders: [], packages: [], node: false },
  "markdown/node": { folders: ["markdown"], packages: ["highlight.js", "katex", "re2js"], node: true },
  "markdown/cases": { folders: ["markdown"], node: true },
  client: { folders: ["api"], packages: ["typebox"], node: false },
  server: { folders: ["api", "markdown"], node: true },
  web: {
    folders: ["client", "api", "markdown"],
    packages: ["solid-js", "virtua", "@floating-ui/dom", "qrcode-generator"],
    node: false,
  },
  cli: { folders: ["client", "api", "server"], node: true },
};

/**
 * The modules of server/, lowest layer first: a module imports only from layers below its own, types too.
 * The platform knows no subject. The star stands for every module that is not named.
 */
export const layers = [
  ["platform/std"],
  ["platform/crypto", "platform/file-storage", "platform/images", "platform/outbound-http"],
  ["platform/oidc", "platform/postgres"],
  ["platform/db"],
  ["platform/bus", "platform/jobs"],
  ["platform/log"],
  ["platform/queues"],
  ["platform/http"],
  ["platform/mail"],
  ["platform/metrics"],
  // Every module records its changes in it.
  ["audit-log"],
  ["organization"],
  // Which addresses accounts can have.
  ["allowed-emails"],
  ["users"],
  ["auth", "quotas"],
  // What people show beside the password, which a session asks for.
  ["second-steps"],
  ["sessions"],
  ["groups"],
  ["channels"],
  // What a text is rendered with.
  ["linkifiers", "emoji", "avatars", "uploads", "external-content"],
  // What a send asks of its recipients and its sender.
  ["topic-policies", "muted-users", "alert-words"],
  // The index of words, which narrows ask; it is made from messages, but calls nothing of theirs.
  ["search"],
  // What messages needs of the subjects above it, named after what is stored: they know channels, users and ids alone.
  ["read-ranges"],
  ["messages"],
  // Whom guests may know of changes with subscriptions, groups and messages.
  ["guest-access"],
  // What programs use, and what the server calls for them.
  ["bots"],
  // What people chose about mails, and the links that end them. What a sign-in causes is passed to it by the lists of modules.
  ["mail-preferences"],
  ["sign-in-notices"],
  // A status has an emoji, which is named as in a reaction.
  ["read-state", "reactions"],
  ["*"],
  // Who comes by a provider may join by an invitation.
  ["oidc"],
  // What the service says of its own accord, and what becomes of that.
  ["system-messages"],
  // What people get by mail of all that.
  ["email-notifications"],
  // It reads what all subjects keep.
  ["exports"],
  ["setup"],
  ["demo"],
  ["process"],
];

/** Files directly in server/: every module may import the first list; the second puts the modules together. */
export const forAllModules = ["config.ts", "services.ts", "version.ts"];
/** The platform knows no subject, so of those it may import these alone. */
export const forThePlatform = ["config.ts", "version.ts"];
export const compositionRoots = ["app.ts", "modules.ts"];

/**
 * The parts of web/ that every region of the screen may import. The regions never import each other; what two
 * of them need is in one of these. main.tsx and shell/ put the regions together.
 */
export const sharedWebFolders = ["app", "ui", "i18n", "styles"];
export const webRoots = ["main.tsx", "shell"];

/** The only files that pass on what others export: the contract, and what the client's package exports. */
export const barrels = ["api/index.ts", "client/index.ts", "client/model/index.ts"];
/** A module's SQL: its `store.ts`, and those that are named for what they keep (`topic-store.ts`). */
export const isStore = /(\/|-)store\.ts$/;
/** Another module may not import these; the composition roots may, except for stores. */
export const isPrivate = /((\/|-)store|\/handlers|\/snapshot)\.ts$/;
/** Stores of rows that a module above shares: messages find and make topics in their own transactions. */
export const sharedStores = [
  "server/features/channels/recipients/conversation-store.ts",
  "server/features/channels/recipients/topic-store.ts",
];
export const isTest = /\.test\.ts$/;
