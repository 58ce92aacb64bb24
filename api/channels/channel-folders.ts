import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from "../limits.ts";
import { exampleFolder, folderFields } from "./channel-fields.ts";

const MAX_FOLDERS_A_CALL = 10_000;

const nameRule = `of at most ${MAX_FOLDER_NAME_LENGTH} characters. Folders that are not archived have different names, ignoring case.`;
const descriptionRule = `What belongs in it, in Markdown, of at most ${MAX_FOLDER_DESCRIPTION_LENGTH} characters on one line.`;

export const getChannelFolders = endpoint({
  name: "getChannelFolders",
  subject: "Channel folders",
  method: "GET",
  path: "/channel_folders",
  access: "user",
  summary: "Get channel folders",
  description: "Returns the folders that the organization sorts its channels into.",
  parameters: {
    include_archived: optional(Type.Boolean(), {
      description: "Whether archived folders are included; `false` by default.",
    }),
  },
  reply: {
    channel_folders: Type.Array(Type.Object(folderFields), { description: "The folders, in their order." }),
  },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { channel_folders: [exampleFolder] } },
  sample: () => ({}),
});

export const createChannelFolder = endpoint({
  name: "createChannelFolder",
  subject: "Channel folders",
  method: "POST",
  path: "/channel_folders/create",
  access: "administrator",
  summary: "Create a channel folder",
  description: "Creates a folder for channels, after the existing ones.",
  parameters: {
    name: required(Type.String(), { description: `Its name, ${nameRule}` }),
    description: optional(Type.String(), { description: descriptionRule }),
  },
  reply: { channel_folder_id: Type.Integer({ description: "The new folder's ID." }) },
  errors: [errors.emptyFolderName, errors.folderNameCharacter, errors.folderNameTaken],
  emits: ["channel_folder/add"],
  example: {
    parameters: { name: "Partners", description: "Whom we work with" },
    reply: { channel_folder_id: 4 },
  },
  sample: (ids) => ({ name: ids.freshName }),
});

export const updateChannelFolder = endpoint({
  name: "updateChannelFolder",
  subject: "Channel folders",
  method: "PATCH",
  path: "/channel_folders/{channel_folder_id}",
  access: "administrator",
  summary: "Change a channel folder",
  description: "Changes the given properties of a folder. An archived folder can be changed too.",
  parameters: {
    channel_folder_id: inPath(Type.Integer(), { description: "The folder." }),
    name: optional(Type.String(), { description: `Its new name, ${nameRule}` }),
    description: optional(Type.String(), { description: descriptionRule }),
    is_archived: optional(Type.Boolean(), {
      description: "Whether it is archived. A folder that has channels can't be archived.",
    }),
  },
  reply: {},
  errors: [
    errors.invalidFolder,
    errors.emptyFolderName,
    errors.folderNameCharacter,
    errors.folderNameTaken,
    errors.folderNotEmpty,
  ],
  emits: ["channel_folder/update"],
  example: { parameters: { channel_folder_id: 1, name: "Products" }, reply: {} },
  sample: (ids) => ({ channel_folder_id: ids.folderId, description: "What we *make*" }),
});

export const reorderChannelFolders = endpoint({
  name: "reorderChannelFolders",
  subject: "Channel folders",
  method: "PATCH",
  path: "/channel_folders",
  access: "administrator",
  summary: "Reorder channel folders",
  description: "Sets the order of the organization's folders.",
  parameters: {
    order: required(Type.Array(Type.Integer(), { maxItems: MAX_FOLDERS_A_CALL }), {
      description: "The IDs of all of the organization's folders, archived ones too, in their new order.",
    }),
  },
  reply: {},
  errors: [errors.invalidFolderOrder],
  emits: ["channel_folder/reorder"],
  example: { parameters: { order: [2, 1] }, reply: {} },
  sample: (ids) => ({ order: [ids.folderId] }),
});
