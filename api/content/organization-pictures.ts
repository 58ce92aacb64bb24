/** The organization's own pictures. */
import { Type } from "typebox";
import { type EndpointFiles, endpoint, optional } from "../endpoint.ts";
import { MAX_ICON_FILE_MIB, MAX_LOGO_FILE_MIB } from "../limits.ts";
import { samplePicture } from "../sample-picture.ts";
import { pictureErrors } from "./avatars.ts";

const pictureFile = (maxMib: number): EndpointFiles => ({
  maxCount: 1,
  maxBytes: maxMib * 2 ** 20,
  description: "The picture: PNG, GIF, JPEG, WebP or AVIF.",
  sample: samplePicture,
});
const icon_url = Type.String({ description: "The address of the picture, below the organization's URL." });
const night = optional(Type.Boolean(), {
  description: "Whether it is the one for dark backgrounds. `false` by default.",
});

export const uploadIcon = endpoint({
  name: "uploadIcon",
  subject: "Organization pictures",
  method: "POST",
  path: "/realm/icon",
  access: "administrator",
  summary: "Upload the organization's icon",
  description:
    "Gives the organization the square picture that the request brings: PNG, GIF, JPEG, WebP or AVIF. Its middle is cut out and made 100 pixels wide and high.",
  parameters: {},
  files: pictureFile(MAX_ICON_FILE_MIB),
  reply: { icon_url },
  errors: pictureErrors,
  emits: ["realm/update_dict"],
  example: {
    parameters: {},
    reply: { icon_url: "/user_avatars/1/realm/9f1c2a7be04d4c55b7e6a1d2c3b4f506.png" },
  },
  sample: () => ({}),
});

export const removeIcon = endpoint({
  name: "removeIcon",
  subject: "Organization pictures",
  method: "DELETE",
  path: "/realm/icon",
  access: "administrator",
  summary: "Remove the organization's icon",
  description: "Deletes the uploaded square picture. The picture of every organization takes its place.",
  parameters: {},
  reply: { icon_url },
  errors: [],
  emits: ["realm/update_dict"],
  example: { parameters: {}, reply: { icon_url: "/logo.svg" } },
  sample: () => ({}),
});

export const uploadLogo = endpoint({
  name: "uploadLogo",
  subject: "Organization pictures",
  method: "POST",
  path: "/realm/logo",
  access: "administrator",
  summary: "Upload the organization's logo",
  description:
    "Gives the organization the wide picture that the request brings: PNG, GIF, JPEG, WebP or AVIF. A larger one is made to fit into 800 by 100 pixels. There are two of them: for light and for dark backgrounds.",
  parameters: { night },
  files: pictureFile(MAX_LOGO_FILE_MIB),
  reply: {},
  errors: pictureErrors,
  emits: ["realm/update_dict"],
  example: { parameters: { night: true }, reply: {} },
  sample: () => ({}),
});

export const removeLogo = endpoint({
  name: "removeLogo",
  subject: "Organization pictures",
  method: "DELETE",
  path: "/realm/logo",
  access: "administrator",
  summary: "Remove the organization's logo",
  description: "Deletes an uploaded wide picture. The picture of every organization takes its place.",
  parameters: { night },
  reply: {},
  errors: [],
  emits: ["realm/update_dict"],
  example: { parameters: { night: true }, reply: {} },
  sample: () => ({}),
});
