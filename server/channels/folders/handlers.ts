import {
  createChannelFolder as createChannelFolderEndpoint,
  getChannelFolders,
  reorderChannelFolders as reorderChannelFoldersEndpoint,
  updateChannelFolder as updateChannelFolderEndpoint,
} from "../../../api/channels/channel-folders.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { createChannelFolder, reorderChannelFolders, updateChannelFolder } from "./actions.ts";
import { presentFolder } from "./present.ts";
import { listFolders } from "./store.ts";

export const folderRoutes: readonly Route[] = [
  route(getChannelFolders, async ({ state, params }) => {
    const folders = await listFolders(state.database, state.organizationId);
    const listed = folders.filter(({ archivedAt }) => params.includeArchived || !archivedAt);
    return { channel_folders: listed.map(presentFolder) };
  }),
  route(createChannelFolderEndpoint, async ({ viewer, params }) => {
    const { name, description = "" } = params;
    const folder = await changeState(viewer, (tx) => createChannelFolder(tx, { name, description }));
    return { channel_folder_id: folder.id };
  }),
  route(updateChannelFolderEndpoint, async ({ viewer, params }) => {
    const { channelFolderId, name, description, isArchived } = params;
    await changeState(viewer, (tx) =>
      updateChannelFolder(tx, channelFolderId, { name, description, isArchived }),
    );
    return {};
  }),
  route(reorderChannelFoldersEndpoint, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => reorderChannelFolders(tx, params.order));
    return {};
  }),
];
