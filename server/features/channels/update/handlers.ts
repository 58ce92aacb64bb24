import { camelCase, type HandlerParameters } from "../../../../api/endpoint.ts";
import {
  archiveChannel as archiveChannelEndpoint,
  updateChannel as updateChannelEndpoint,
} from "../../../../api/update-channel.ts";
import type { Route } from "../../../platform/http/handler.ts";
import { runStateChange } from "../../../platform/log/change.ts";
import type { Services } from "../../../services.ts";
import type { GroupValueChange } from "../../groups/group-value.ts";
import { currentViewer } from "../../users/current-viewer.ts";
import { route } from "../../users/route.ts";
import type { ChannelNotices } from "../notices.ts";
import type { ChannelChangeRequest } from "./request.ts";
import { archiveChannel, updateChannel } from "./update.ts";

export function channelUpdateRoutes({ config }: Services, { notices }: { notices: ChannelNotices }): Route[] {
  return [
    route(updateChannelEndpoint, async ({ state, viewer, params }) => {
      const request = requestOf(params, config.webPublicStreams);
      await runStateChange(state, (tx) =>
        updateChannel(tx, currentViewer(viewer), params.streamId, request, notices),
      );
      return {};
    }),
    route(archiveChannelEndpoint, async ({ state, viewer, params }) => {
      await runStateChange(state, (tx) =>
        archiveChannel(tx, currentViewer(viewer), params.streamId, notices),
      );
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
