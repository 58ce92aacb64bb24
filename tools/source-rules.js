// Where things are found and built, beside the directions of imports. tools/check-sources.js reads it.

/**
 * The folders in server/ with the handlers of what `api/` declares, where they are not named like the file
 * there. The key is that file's path, or the endpoint's name. @type {Record<string, string>}
 */
export const handlersOf = {
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
  "people/update-users": "people/update",
  "people/users": "people",
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
  "server/messages/model/columns.ts": "the fragments that the stores of messages are made of",
};
