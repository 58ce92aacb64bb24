import type { FolderRecord } from "../../../api/channels/channel-fields.ts";
import type { Folder } from "./store.ts";

/** A folder as everyone sees it: in `channel_folders`, and in events. */
export function presentFolder(folder: Folder): FolderRecord {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: folder.renderedDescription,
    creator_id: folder.creatorId,
    date_created: Math.floor(folder.createdAt.getTime() / 1000),
    is_archived: folder.archivedAt !== null,
    order: folder.order,
  };
}
