// Which part of the tree may import which. tools/check-imports.js reads it.

/**
 * What a top folder may import: other folders of ours, npm packages, Node's modules. The deepest folder that matches
 * counts; folders that are not listed (tests, benches, tools) may import anything, and nothing may import them.
 * @type {Record<string, { folders: string[], packages?: string[], node: boolean }>}
 */
export const table = {
  api: { folders: [], packages: ["typebox"], node: false },
  markdown: { folders: [], packages: [], node: false },
  "markdown/server": { folders: ["markdown"], packages: ["highlight.js", "katex", "re2js"], node: true },
  "markdown/cases": { folders: ["markdown"], node: true },
  client: { folders: ["api"], packages: ["typebox"], node: false },
  server: { folders: ["api", "markdown"], node: true },
  web: { folders: ["client", "api", "markdown"], node: false },
  cli: { folders: ["client", "api", "server"], node: true },
};

/**
 * The rooms of server/, lowest first: a room imports only from rungs below its own. The first rung knows no subject; the
 * star stands for every room that is not named.
 */
export const ladder = [
  ["std", "postgres", "db", "bus", "events", "jobs", "http"],
  ["organization"],
  ["users"],
  ["groups"],
  ["channels"],
  // What a text is rendered with.
  ["linkifiers", "emoji"],
  // What a send asks of its recipients and its sender.
  ["topic-policies", "muted-users", "alert-words"],
  // The index of words, which narrows ask; it is made from messages, but calls nothing of theirs.
  ["search"],
  ["messages"],
  ["*"],
  // What the service says of its own accord, and what becomes of that.
  ["notices"],
  ["onboarding"],
  ["demo"],
];

/** Files directly in server/: every room may import the first list; the second puts the rooms together. */
export const forAllRooms = ["config.ts", "services.ts", "version.ts", "viewer.ts"];
export const compositionRoots = ["app.ts", "main.ts", "rooms.ts"];

/** The only file that passes on what others export. */
export const barrel = "api/index.ts";
/** A room's SQL: its `store.ts`, and those that are named for what they keep (`topic-store.ts`). */
export const isStore = /(\/|-)store\.ts$/;
/** Another room may not import these; the composition roots may, except for stores. */
export const isPrivate = /((\/|-)store|\/handlers|\/snapshot)\.ts$/;
export const isTest = /\.test\.ts$/;
