import {
  addDefaultChannel,
  createDefaultChannelGroup,
  removeDefaultChannel,
  removeDefaultChannelGroup,
  updateDefaultChannelGroup,
  updateDefaultChannelGroupChannels,
} from "../../../../api/default-channels.ts";
import type { Route } from "../../../platform/http/handler.ts";
import { runStateChange } from "../../../platform/log/change.ts";
import { currentAdministrator } from "../../users/current-viewer.ts";
import { route } from "../../users/route.ts";
import {
  addToDefaultGroup,
  createDefaultGroup,
  removeDefaultGroup,
  removeFromDefaultGroup,
  renameDefaultGroup,
} from "./actions.ts";
import { setDefaultChannel } from "./default-channels.ts";

export function defaultChannelRoutes(): Route[] {
  return [
    route(addDefaultChannel, async ({ state, viewer, params }) => {
      await runStateChange(state, (tx) =>
        setDefaultChannel(tx, currentAdministrator(viewer), params.streamId, true),
      );
      return {};
    }),
    route(removeDefaultChannel, async ({ state, viewer, params }) => {
      await runStateChange(state, (tx) =>
        setDefaultChannel(tx, currentAdministrator(viewer), params.streamId, false),
      );
      return {};
    }),
    route(createDefaultChannelGroup, async ({ state, viewer, params }) => {
      const { groupName: name, description, streamNames: channelNames } = params;
      await runStateChange(state, (tx) =>
        createDefaultGroup(tx, currentAdministrator(viewer), { name, description, channelNames }),
      );
      return {};
    }),
    route(updateDefaultChannelGroup, async ({ state, viewer, params }) => {
      const { groupId, newGroupName: name, newDescription: description } = params;
      await runStateChange(state, (tx) => {
        currentAdministrator(viewer);
        return renameDefaultGroup(tx, groupId, { name, description });
      });
      return {};
    }),
    route(removeDefaultChannelGroup, async ({ state, viewer, params }) => {
      await runStateChange(state, (tx) => {
        currentAdministrator(viewer);
        return removeDefaultGroup(tx, params.groupId);
      });
      return {};
    }),
    route(updateDefaultChannelGroupChannels, async ({ state, viewer, params }) => {
      const change = params.op === "add" ? addToDefaultGroup : removeFromDefaultGroup;
      await runStateChange(state, (tx) =>
        change(tx, currentAdministrator(viewer), params.groupId, params.streamNames),
      );
      return {};
    }),
  ];
}
