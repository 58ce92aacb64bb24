import {
  addDefaultChannel,
  createDefaultChannelGroup,
  removeDefaultChannel,
  removeDefaultChannelGroup,
  updateDefaultChannelGroup,
  updateDefaultChannelGroupChannels,
} from "../../../../api/default-channels.ts";
import { type Route, route } from "../../../platform/http/handler.ts";
import { changeState } from "../../../platform/log/change.ts";
import { currentAdministrator } from "../../users/current-viewer.ts";
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
    route(addDefaultChannel, async ({ live, viewer, params }) => {
      await changeState(live, (tx) =>
        setDefaultChannel(tx, currentAdministrator(viewer), params.streamId, true),
      );
      return {};
    }),
    route(removeDefaultChannel, async ({ live, viewer, params }) => {
      await changeState(live, (tx) =>
        setDefaultChannel(tx, currentAdministrator(viewer), params.streamId, false),
      );
      return {};
    }),
    route(createDefaultChannelGroup, async ({ live, viewer, params }) => {
      const { groupName: name, description, streamNames: channelNames } = params;
      await changeState(live, (tx) =>
        createDefaultGroup(tx, currentAdministrator(viewer), { name, description, channelNames }),
      );
      return {};
    }),
    route(updateDefaultChannelGroup, async ({ live, viewer, params }) => {
      const { groupId, newGroupName: name, newDescription: description } = params;
      await changeState(live, (tx) => {
        currentAdministrator(viewer);
        return renameDefaultGroup(tx, groupId, { name, description });
      });
      return {};
    }),
    route(removeDefaultChannelGroup, async ({ live, viewer, params }) => {
      await changeState(live, (tx) => {
        currentAdministrator(viewer);
        return removeDefaultGroup(tx, params.groupId);
      });
      return {};
    }),
    route(updateDefaultChannelGroupChannels, async ({ live, viewer, params }) => {
      const change = params.op === "add" ? addToDefaultGroup : removeFromDefaultGroup;
      await changeState(live, (tx) =>
        change(tx, currentAdministrator(viewer), params.groupId, params.streamNames),
      );
      return {};
    }),
  ];
}
