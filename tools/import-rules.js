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
 * The parts of server/platform/, lowest layer first: a part imports only from layers below its own, types too.
 * It knows no subject, so all of it is below the modules, which tools/modules.js lists.
 */
export const platformLayers = [
  ["faults"],
  ["std"],
  ["crypto", "file-storage", "images", "outbound-http", "tls"],
  ["oidc", "postgres"],
  ["db"],
  ["bus", "jobs"],
  ["backup"],
  ["log"],
  ["queues"],
  ["http"],
  ["mail"],
  ["health"],
  ["metrics"],
];

/** Files directly in server/: every module may import the first list; the second puts the modules together. */
export const forAllModules = [
  "config.ts",
  "module-exports.ts",
  "module-parts.ts",
  "services.ts",
  "setting-values.ts",
  "version.ts",
];
/** The platform knows no subject, so of those it may import these alone. */
export const forThePlatform = ["config.ts", "setting-values.ts", "version.ts"];
/**
 * Of the first list, those that name types of modules. Every module gets them, so they know only the modules that
 * all others stand on. Else a type would lead from below to what stands above.
 */
export const forAllOnGround = ["module-exports.ts", "module-parts.ts", "services.ts"];
export const ground = ["organization", "people"];
export const compositionRoots = [
  "app.ts",
  "module-exports.ts",
  "module-parts.ts",
  "modules.ts",
  "services.ts",
];

/**
 * The parts of web/ that every region of the screen may import. The regions never import each other; what two
 * of them need is in one of these. main.tsx and shell/ put the regions together.
 */
export const sharedWebFolders = ["shared", "ui", "i18n", "styles"];
export const webRoots = ["main.tsx", "shell"];

/** The only files that pass on what others export: the contract, and what the client's package exports. */
export const barrels = ["api/index.ts", "client/index.ts", "client/model/index.ts"];
/** SQL: a `store.ts`, and those that are named for what they keep (`topic-store.ts`). */
export const isStore = /(\/|-)store\.ts$/;
/** What a module's list of parts imports, or another list of routes, and nothing else. */
export const isHandlers = /\/handlers\.ts$/;
export const isParts = /\/parts\.ts$/;
export const isTest = /\.test\.ts$/;
