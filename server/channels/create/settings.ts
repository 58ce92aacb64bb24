import { camelCase } from "../../../api/camel-case.ts";
import type { ChannelPermission } from "../../../api/channels/channel-permissions.ts";
import type { newChannelParameters } from "../../../api/channels/new-channel.ts";
import type { HandlerParameters } from "../../../api/endpoint.ts";
import type { GroupValue } from "../../groups/group.ts";
import type { NewChannelSettings } from "./request.ts";

/** What the parameters that configure new channels say (spec E2). */
export function newChannelSettings(
  params: HandlerParameters<typeof newChannelParameters>,
  hasWebPublic: boolean,
): NewChannelSettings {
  return {
    isPrivate: params.inviteOnly ?? false,
    isWebPublic: params.isWebPublic ?? false,
    hasWebPublic,
    isDefault: params.isDefaultStream ?? false,
    isHistoryShared: params.historyPublicToSubscribers,
    messageRetentionDays: params.messageRetentionDays ?? "realm_default",
    topicsPolicy: params.topicsPolicy ?? "inherit",
    folderId: params.folderId,
    permission: ({ name }: ChannelPermission) =>
      (params as Record<string, unknown>)[camelCase(name)] as GroupValue | undefined,
  };
}
