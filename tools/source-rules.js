// Where things are found and built, beside the directions of imports. tools/check-sources.js reads it.

/**
 * Where the handlers of the endpoints in an `api/` file lie, below server/features/, where the name is not the same.
 * @type {Record<string, string>}
 */
export const handlersOf = {
  "channel-folders": "channels/folders",
  "default-channels": "channels/defaults",
  "delete-messages": "messages",
  "edit-message": "messages",
  "group-members": "groups",
  organization: "organization-settings",
  subscriptions: "channels/subscriptions",
  "update-channel": "channels/update",
};

/** Files beside the stores that hold SQL, each with the reason. */
export const sqlOutsideStores = {
  "server/features/messages/query/": "a query's statement is put together from the narrow's terms",
  "server/features/demo/create-demo.ts": "the lock that lets one of several nodes make the demo",
};
