// Where things are found and built, beside the directions of imports. tools/check-sources.js reads it.

/**
 * The folders of handlers that are not named like the `api/` file: a feature, or a path in server/. The key
 * is that file's name, or the endpoint's. @type {Record<string, string>}
 */
export const handlersOf = {
  "audit-log": "administration/audit-log",
  auth: "sign-in",
  "channel-folders": "folders",
  "default-channels": "defaults",
  "deactivate-users": "people/deactivate",
  "default-user-settings": "settings",
  "delete-messages": "messages",
  "edit-message": "messages",
  "group-members": "groups",
  "new-channel": "channels",
  "incoming-webhooks": "integrations/webhooks/incoming",
  "outgoing-webhooks": "integrations/webhooks/outgoing",
  organization: "settings",
  "update-channel": "channels/update",
  "update-users": "people/update",
  users: "people",
  "welcome-message": "system-messages",
  // Topics are made of messages, which channels don't know.
  getChannelTopics: "messages",
};

/**
 * Places beside the stores that hold SQL, each with the reason.
 * @type {Record<string, string>}
 */
export const sqlOutsideStores = {
  "server/channels/subscriptions/interval-bounds.ts": "the fragments by which stores read intervals",
  "server/messages/read-state/read-notices.ts": "the fragment by which stores find notices that came read",
  "server/messages/query/": "a query's statement is put together from the terms of its narrow",
  "server/messages/snapshot.ts": "it wraps a scan of the query",
  "server/messages/model/columns.ts": "the fragments that the stores of messages are made of",
  "server/messages/model/submessages.ts": "polls, a module above, writes rows by it",
};
