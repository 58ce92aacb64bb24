import { camelCase } from "../../../api/camel-case.ts";
import {
  archiveChannel as archiveChannelEndpoint,
  updateChannel as updateChannelEndpoint,
} from "../../../api/channels/update-channel.ts";
import type { HandlerParameters } from "../../../api/endpoint.ts";
import type { GroupValueChange } from "../../groups/group-value.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import type { ChannelChangeRequest } from "./request.ts";
import { archiveChannel, updateChannel } from "./update.ts";

export function channelUpdateRoutes({ config }: Pick<Services, "config">): Route[] {
  return [
    route(updateChannelEndpoint, async ({ viewer, params }) => {
      const request = requestOf(params, config.webPublicStreams);
      await changeState(viewer, (tx) => updateChannel(tx, params.streamId, request));
      return {};
    }),
    route(archiveChannelEndpoint, async ({ viewer, params }) => {
      await changeState(viewer, (tx) => archiveChannel(tx, params.streamId));
      return {};
    }),
  ];
}

function requestOf(
  params: HandlerParameters<(typeof updateChannelEndpoint)["parameters"]>,
  hasWebPublic: boolean,
): ChannelChangeRequest {
  return {
    name: params.newName,
    description: params.description,
    isPrivate: params.isPrivate,
    isWebPublic: params.isWebPublic,
    hasWebPublic,
    isHistoryShared: params.historyPublicToSubscribers,
    isDefault: params.isDefaultStream,
    messageRetentionDays: params.messageRetentionDays,
    isArchived: params.isArchived,
    folderId: params.folderId,
    topicsPolicy: params.topicsPolicy,
    permission: ({ name }) =>
      (params as Record<string, unknown>)[camelCase(name)] as GroupValueChange | undefined,
  };
}
