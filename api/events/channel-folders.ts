import { Type } from "typebox";
import { exampleFolder, folderFields } from "../channels/channel-fields.ts";
import { event } from "../event.ts";

export const folderAdded = event({
  type: "channel_folder",
  op: "add",
  description: "A channel folder was created.",
  payload: { channel_folder: Type.Object(folderFields, { description: "The folder." }) },
  example: { channel_folder: exampleFolder },
});

export const folderUpdated = event({
  type: "channel_folder",
  op: "update",
  description: "A channel folder changed.",
  payload: {
    channel_folder_id: Type.Integer({ description: "The folder." }),
    data: Type.Object(
      {
        name: Type.Optional(Type.String({ description: "Its new name." })),
        description: Type.Optional(Type.String({ description: "Its new description, in Markdown." })),
        rendered_description: Type.Optional(Type.String({ description: "The new description as HTML." })),
        is_archived: Type.Optional(Type.Boolean({ description: "Whether it is archived." })),
      },
      { description: "The fields that changed." },
    ),
  },
  example: { channel_folder_id: 4, data: { name: "Products" } },
});

export const foldersReordered = event({
  type: "channel_folder",
  op: "reorder",
  description: "The order of the channel folders changed.",
  payload: {
    order: Type.Array(Type.Integer(), {
      description: "The IDs of all folders, archived ones included, in the new order.",
    }),
  },
  example: { order: [4, 2, 3] },
});
