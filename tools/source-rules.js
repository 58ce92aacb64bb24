// Where things are found and built, beside the directions of imports. tools/check-sources.js reads it.

/**
 * The folders of handlers, below server/features/, that are not named like the `api/` file. The key is that
 * file's name, or the endpoint's. @type {Record<string, string>}
 */
export const handlersOf = {
  "channel-folders": "channels/folders",
  "default-channels": "channels/defaults",
  "deactivate-users": "users/deactivate",
  "default-user-settings": "organization-settings",
  "delete-messages": "messages",
  "edit-message": "messages",
  "group-members": "groups",
  "new-channel": "channels",
  "incoming-webhooks": "webhooks/incoming",
  "outgoing-webhooks": "webhooks/outgoing",
  organization: "organization-settings",
  subscriptions: "channels/subscriptions",
  "update-channel": "channels/update",
  "update-users": "users/update",
  "welcome-message": "system-messages",
  // Topics are made of messages, which channels don't know.
  getChannelTopics: "messages",
};

/**
 * Places beside the stores that hold SQL, each with the reason.
 * @type {Record<string, string>}
 */
export const sqlOutsideStores = {
  "server/features/channels/subscriptions/interval-bounds.ts": "the fragments by which stores read intervals",
  "server/features/read-ranges/read-notices.ts": "the fragment by which stores find notices that came read",
  "server/features/messages/query/": "a query's statement is put together from the terms of its narrow",
  "server/features/messages/snapshot.ts": "it wraps a scan of the query",
  "server/features/messages/model/columns.ts": "the fragments that the stores of messages are made of",
  "server/features/messages/model/submessages.ts": "polls, a module above, writes rows by it",
};
