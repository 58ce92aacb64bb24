/** The ids that calls can take and that their samples leave out, found by the names of parameters. */
import type { SampleIds } from "../../api/endpoint.ts";
import { endpoints } from "../../api/index.ts";
import { missingIds, type Sample } from "./sample-call.ts";

type Value = (ids: SampleIds) => unknown;

/** By the name of the parameter; the first that fits counts. */
const valuesByName: readonly (readonly [RegExp, Value])[] = [
  [/^stream_id$/, ({ channelId }) => channelId],
  [/^stream_ids$/, ({ channelId }) => [channelId]],
  [/^(stream|default_sending_stream|default_events_register_stream)$/, ({ channelName }) => channelName],
  [/^folder_id$/, ({ folderId }) => folderId],
  [/^queue_id$/, ({ queueId }) => queueId],
  [/^message_ids$/, ({ messageId }) => [messageId]],
  [/^(principals|to)$/, ({ userId }) => [userId]],
  [/^(sender|bot_owner|actor|target)_id$/, ({ userId }) => userId],
  [/^((add_|delete_)?subgroups|group_ids)$/, ({ groupId }) => [groupId]],
  [/^emoji_name$/, ({ emojiName }) => emojiName],
  [/^narrow$/, ({ channelId }) => [["channel", String(channelId)]]],
  [/^can_\w+$|_group$/, ({ groupId }) => groupId],
  [/_(stream|channel)_id$/, ({ channelId }) => channelId],
];

/** Parameters that look like an id of a thing, and are none. */
const noIds: Readonly<Record<string, string>> = {
  last_update_id: "A place in the reports of presence.",
  before_id: "A place in the audit log.",
  local_id: "The client makes it up.",
  push_account_id: "A phone's.",
};

/** Each endpoint with one more of its parameters. `parameters` puts an id of `ids` in it. */
export const optionalIds: readonly (Sample & { parameter: string; written: Value })[] = endpoints.flatMap(
  (endpoint) => {
    const given = endpoint.sample(missingIds) as Record<string, unknown>;
    return Object.entries(endpoint.parameters).flatMap(([parameter, declared]) => {
      const value = valuesByName.find(([pattern]) => pattern.test(parameter))?.[1];
      if (parameter in given || !value) return [];
      const type = (declared as { schema?: { type?: string } }).schema?.type;
      if (type === "boolean") return [];
      // The changes of a group value say what it was before.
      const isChange = /^can_|_group$/.test(parameter) && type === "object";
      const written = (ids: SampleIds) => (isChange ? { new: value(ids) } : value(ids));
      return [
        {
          name: `${endpoint.name} (${parameter})`,
          parameter,
          endpoint,
          parameters: (ids: SampleIds) => ({
            ...(endpoint.sample(ids) as object),
            [parameter]: written(ids),
          }),
          written,
        },
      ];
    });
  },
);

/** Parameters that look like ids and that nothing above knows. */
export const unknownIds: readonly string[] = endpoints.flatMap((endpoint) => {
  const given = endpoint.sample(missingIds) as Record<string, unknown>;
  return Object.keys(endpoint.parameters)
    .filter((name) => /_ids?$|^(principals|to|narrow)$|_group$/.test(name) && !(name in given))
    .filter((name) => !(name in noIds) && !valuesByName.some(([pattern]) => pattern.test(name)))
    .map((name) => `${endpoint.name} ${name}`);
});
