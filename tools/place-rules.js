// Where things are found and built, beside the directions of imports: an endpoint is handled in the folder
// that its declaration suggests, an event is appended in one place, and SQL is in stores.
import { modules } from "./modules.js";
import { filesWith } from "./source-files.js";

/** @typedef {import("./source-files.js").Sources} Sources */

/**
 * The folders in server/ with the handlers of what `api/` declares, where they are not named like the file
 * there. The key is that file's path, or the endpoint's name. @type {Record<string, string>}
 */
const handlersOf = {
  "administration/default-user-settings": "administration/settings",
  "administration/organization": "administration/settings",
  "channels/channel-folders": "channels/folders",
  "channels/channels": "channels",
  "channels/default-channels": "channels/defaults",
  "channels/new-channel": "channels",
  "channels/update-channel": "channels/update",
  "groups/group-members": "groups",
  "groups/groups": "groups",
  "integrations/incoming-webhooks": "integrations/webhooks/incoming",
  "integrations/outgoing-webhooks": "integrations/webhooks/outgoing",
  "messages/delete-messages": "messages",
  "messages/edit-message": "messages",
  "messages/messages": "messages",
  "notifications/welcome-message": "notifications/system-messages",
  "people/deactivate-users": "people/deactivate",
  "people/erase-user": "administration/erasure",
  "people/update-users": "people/update",
  "people/users": "people",
  // Topics are made of messages, which channels don't know.
  getChannelTopics: "messages",
};

/**
 * Places beside the stores that hold SQL, each with the reason.
 * @type {Record<string, string>}
 */
const sqlOutsideStores = {
  "server/channels/subscriptions/interval-bounds.ts": "the fragments by which stores read intervals",
  "server/messages/read-state/read-notices.ts": "the fragment by which stores find notices that came read",
  "server/messages/read-state/topic-read-states.ts": "the fragments by which stores read read states",
  "server/messages/query/": "a query's statement is put together from the terms of its narrow",
  "server/messages/model/columns.ts": "the fragments that the stores of messages are made of",
};

/** @param {Sources} sources @returns {string[]} a sentence for each thing that is elsewhere */
export function placeProblems(sources) {
  return [
    ...endpointProblems(sources),
    ...eventProblems(sources),
    ...sqlProblems(sources),
    ...lockProblems(sources),
  ];
}

/**
 * `api/MODULE/X.ts` is handled in `server/MODULE/X/`, or where `handlersOf` says.
 * @param {Sources} sources
 */
function endpointProblems(sources) {
  return declarations(sources, /^api\/((?:[\w-]+\/)?[\w-]+)\.ts$/, "endpoint").flatMap(
    ({ name, subject }) => {
      const folder = `server/${handlersOf[name] ?? handlersOf[subject] ?? subject}/`;
      const places = filesWith(sources, new RegExp(`\\broute\\(\\s*(?:\\w+\\.)?${name}(Endpoint)?,`));
      const isThere = places.length === 1 && places[0]?.startsWith(folder);
      return isThere
        ? []
        : [`api/${subject}.ts: ${name} should have its handler in ${folder}, not in ${places}.`];
    },
  );
}

/** @param {Sources} sources */
function eventProblems(sources) {
  return declarations(sources, /^api\/events\/([\w-]+)\.ts$/, "event").flatMap(({ name, subject }) => {
    const pattern = new RegExp(`\\.append\\(\\s*${name}\\b`, "g");
    const places = filesWith(sources, pattern).flatMap((file) =>
      [...(sources.get(file) ?? "").matchAll(pattern)].map(() => file),
    );
    return places.length <= 1
      ? []
      : [`api/events/${subject}.ts: ${name} is appended in several places: ${places}.`];
  });
}

/** @param {Sources} sources */
function sqlProblems(sources) {
  const allowed = Object.keys(sqlOutsideStores);
  return filesWith(sources, /\bsql`/)
    .filter((file) => isOfModule(file) && !/(\/|-)store\.ts$/.test(file))
    .filter((file) => !allowed.some((place) => file.startsWith(place)))
    .map((file) => `${file}: SQL belongs in the store of the table's owner.`);
}

/** In the whole text, since a statement is in quotes. @param {Sources} sources */
function lockProblems(sources) {
  return [...sources].flatMap(([file, text]) => {
    const lock = file.startsWith("server/") ? /advisory\w*lock\w*\(\s*\d/.exec(text)?.[0] : undefined;
    return lock === undefined
      ? []
      : [`${file}: the classes of locks are in server/platform/db/locks.ts (${lock.replace(/\s+/g, "")}).`];
  });
}

/** @param {string} file */
function isOfModule(file) {
  return modules.some(({ name }) => file.startsWith(`server/${name}/`));
}

/**
 * The exported declarations of a form, such as `endpoint({…})`, with the subject that their file is named
 * for. @param {Sources} sources @param {RegExp} file @param {string} form
 */
function declarations(sources, file, form) {
  return [...sources].flatMap(([name, text]) => {
    const subject = file.exec(name)?.[1];
    if (subject === undefined) return [];
    const found = text.matchAll(new RegExp(`^export const (\\w+) = ${form}\\(`, "gm"));
    return [...found].map((match) => ({ name: match[1] ?? "", subject }));
  });
}
