import {
  addDefaultChannel,
  createDefaultChannelGroup,
  removeDefaultChannel,
  removeDefaultChannelGroup,
  updateDefaultChannelGroup,
  updateDefaultChannelGroupChannels,
} from "../../../api/channels/default-channels.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import {
  addToDefaultGroup,
  createDefaultGroup,
  removeDefaultGroup,
  removeFromDefaultGroup,
  renameDefaultGroup,
} from "./actions.ts";
import { setDefaultChannel } from "./default-channels.ts";

export const defaultChannelRoutes: readonly Route[] = [
  route(addDefaultChannel, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => setDefaultChannel(tx, params.streamId, true));
    return {};
  }),
  route(removeDefaultChannel, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => setDefaultChannel(tx, params.streamId, false));
    return {};
  }),
  route(createDefaultChannelGroup, async ({ viewer, params }) => {
    const { groupName: name, description, streamNames: channelNames } = params;
    await changeState(viewer, (tx) => createDefaultGroup(tx, { name, description, channelNames }));
    return {};
  }),
  route(updateDefaultChannelGroup, async ({ viewer, params }) => {
    const { groupId, newGroupName: name, newDescription: description } = params;
    await changeState(viewer, (tx) => renameDefaultGroup(tx, groupId, { name, description }));
    return {};
  }),
  route(removeDefaultChannelGroup, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => removeDefaultGroup(tx, params.groupId));
    return {};
  }),
  route(updateDefaultChannelGroupChannels, async ({ viewer, params }) => {
    const change = params.op === "add" ? addToDefaultGroup : removeFromDefaultGroup;
    await changeState(viewer, (tx) => change(tx, params.groupId, params.streamNames));
    return {};
  }),
];
