/** Pictures of people and bots. */
import { Type } from "typebox";
import { type EndpointFiles, endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_AVATAR_FILE_MIB } from "../limits.ts";
import { samplePicture } from "../sample-picture.ts";

const avatar_url = Type.Union([Type.String(), Type.Null()], {
  description: "The address of the picture, below the organization's URL unless it is whole.",
});

/** For a call that takes one picture of a person or bot. */
export const avatarFiles: EndpointFiles = {
  maxCount: 1,
  maxBytes: MAX_AVATAR_FILE_MIB * 2 ** 20,
  description: "The picture: PNG, GIF, JPEG, WebP or AVIF.",
  sample: samplePicture,
};
/** What may be wrong with a picture, and with how many there are. */
export const pictureErrors = [
  errors.exactlyOneFile,
  errors.invalidImageFormat,
  errors.unreadableImage,
  errors.imageTooLarge,
  errors.overQuota,
];

export const uploadOwnAvatar = endpoint({
  name: "uploadOwnAvatar",
  subject: "Avatars",
  method: "POST",
  path: "/users/me/avatar",
  access: "user",
  summary: "Upload one's own picture",
  description:
    "Gives the caller the picture that the request brings: PNG, GIF, JPEG, WebP or AVIF. Its middle is cut out and made 100 pixels wide and high, and 500 pixels for the larger one. A moving picture is stored as its first frame. Where `avatar_changes_disabled` is on, or `server_avatar_changes_disabled`, only administrators can do this.",
  parameters: {},
  files: avatarFiles,
  reply: { avatar_url },
  errors: [errors.avatarChangesDisabled, ...pictureErrors],
  emits: ["realm_user/update", "realm_bot/update"],
  example: {
    parameters: {},
    reply: { avatar_url: "/user_avatars/1/9f1c2a7be04d4c55b7e6a1d2c3b4f506.png" },
  },
  sample: () => ({}),
});

export const removeOwnAvatar = endpoint({
  name: "removeOwnAvatar",
  subject: "Avatars",
  method: "DELETE",
  path: "/users/me/avatar",
  access: "user",
  summary: "Remove one's own picture",
  description:
    "Takes away the picture that the caller uploaded, and deletes it. What `default_avatar_source` says takes its place. Without an uploaded picture nothing happens.",
  parameters: {},
  reply: { avatar_url },
  errors: [errors.avatarChangesDisabled],
  emits: ["realm_user/update", "realm_bot/update"],
  example: { parameters: {}, reply: { avatar_url: "/user_avatars/drawn/41-4c-c10.png" } },
  sample: () => ({}),
});
