import {
  createChannelFolder as createChannelFolderEndpoint,
  getChannelFolders,
  reorderChannelFolders as reorderChannelFoldersEndpoint,
  updateChannelFolder as updateChannelFolderEndpoint,
} from "../../../../api/channel-folders.ts";
import type { Route } from "../../../platform/http/handler.ts";
import { runStateChange } from "../../../platform/log/change.ts";
import { currentViewer } from "../../users/current-viewer.ts";
import { route } from "../../users/route.ts";
import { createChannelFolder, reorderChannelFolders, updateChannelFolder } from "./actions.ts";
import { presentFolder } from "./present.ts";
import { listFolders } from "./store.ts";

export const folderRoutes: readonly Route[] = [
  route(getChannelFolders, async ({ state, params }) => {
    const folders = await listFolders(state.database, state.organizationId);
    const listed = folders.filter(({ archivedAt }) => params.includeArchived || !archivedAt);
    return { channel_folders: listed.map(presentFolder) };
  }),
  route(createChannelFolderEndpoint, async ({ state, viewer, params }) => {
    const { name, description = "" } = params;
    const folder = await runStateChange(state, (tx) =>
      createChannelFolder(tx, currentViewer(viewer), { name, description }),
    );
    return { channel_folder_id: folder.id };
  }),
  route(updateChannelFolderEndpoint, async ({ state, viewer, params }) => {
    const { channelFolderId, name, description, isArchived } = params;
    await runStateChange(state, (tx) =>
      updateChannelFolder(tx, currentViewer(viewer), channelFolderId, { name, description, isArchived }),
    );
    return {};
  }),
  route(reorderChannelFoldersEndpoint, async ({ state, viewer, params }) => {
    await runStateChange(state, (tx) => reorderChannelFolders(tx, currentViewer(viewer), params.order));
    return {};
  }),
];
