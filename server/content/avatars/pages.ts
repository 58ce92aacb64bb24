/** Pictures as everyone can load them, since messages and lists of people name them by their addresses. */
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationId } from "../../../api/ids.ts";
import { ORGANIZATION_PICTURES } from "../../organization/pictures.ts";
import { DRAWN_FOLDER } from "../../people/pictures/picture.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import { type PageRoute, publicFile } from "../../platform/http/page-routes.ts";
import { sendPublicFile } from "../../platform/http/send-file.ts";
import { DrawnPictures, parseDrawing } from "./drawn-pictures.ts";
import { PICTURE_NAME, type PictureForm, pictureKey } from "./pictures.ts";

const ORGANIZATION_ID = /^[1-9]\d{0,15}$/;
const AVATAR = new RegExp(`^(${PICTURE_NAME}(?:-medium)?)\\.png$`);
const ORGANIZATION_PICTURE = new RegExp(`^(${PICTURE_NAME})\\.png$`);

/** Increases when the server draws differently, so that caches load the pictures again. */
const DRAWING_VERSION = 1;

const STORED = { limit: "files" } as const;

export function pictureFiles(files: FileStorage): PageRoute[] {
  return [
    storedPicture(files, "/user_avatars/:organizationId/:fileName", AVATAR, "avatar"),
    storedPicture(
      files,
      `/user_avatars/:organizationId/${ORGANIZATION_PICTURES}/:fileName`,
      ORGANIZATION_PICTURE,
      "icon",
    ),
    drawnPicture(),
  ];
}

function storedPicture(
  files: FileStorage,
  path: `/user_avatars/:organizationId/${string}:fileName`,
  pattern: RegExp,
  form: PictureForm,
): PageRoute {
  return publicFile(
    path,
    ({ request, reply, params: { organizationId, fileName } }) => {
      const name = pattern.exec(fileName)?.[1];
      if (name === undefined || !ORGANIZATION_ID.test(organizationId)) throw new ApiError(errors.notFound);
      return sendPublicFile(request, reply, files, {
        key: pictureKey(Number(organizationId) as OrganizationId, form, name),
        contentType: "image/png",
        tag: name,
      });
    },
    STORED,
  );
}

function drawnPicture(): PageRoute {
  const drawn = new DrawnPictures();
  return publicFile(
    `${DRAWN_FOLDER}:fileName`,
    ({ request, reply, params: { fileName } }) => {
      if (!parseDrawing(fileName)) throw new ApiError(errors.notFound);
      const tag = `${fileName}:${DRAWING_VERSION}`;
      return sendPublicFile(request, reply, drawn, { key: fileName, contentType: "image/png", tag });
    },
    STORED,
  );
}
