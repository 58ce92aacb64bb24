/** Pictures as everyone can load them, since messages and lists of people name them by their addresses. */
import type { FastifyInstance } from "fastify";
import type { OrganizationId } from "../../../api/ids.ts";
import { ORGANIZATION_PICTURES } from "../../organization/pictures.ts";
import { DRAWN_FOLDER } from "../../people/pictures/picture.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import { sendPublicFile } from "../../platform/http/send-file.ts";
import { DrawnPictures, parseDrawing } from "./drawn-pictures.ts";
import { PICTURE_NAME, type PictureForm, pictureKey } from "./pictures.ts";

const ORGANIZATION_ID = /^[1-9]\d{0,15}$/;
const AVATAR = new RegExp(`^(${PICTURE_NAME}(?:-medium)?)\\.png$`);
const ORGANIZATION_PICTURE = new RegExp(`^(${PICTURE_NAME})\\.png$`);

/** Increases when the server draws differently, so that caches load the pictures again. */
const DRAWING_VERSION = 1;

export function registerPictures(pages: FastifyInstance, files: FileStorage): void {
  const places: readonly [folder: string, pattern: RegExp, form: PictureForm][] = [
    ["", AVATAR, "avatar"],
    [`${ORGANIZATION_PICTURES}/`, ORGANIZATION_PICTURE, "icon"],
  ];
  for (const [folder, pattern, form] of places) {
    pages.route<{ Params: { organizationId: string; fileName: string } }>({
      method: ["GET", "HEAD"],
      url: `/user_avatars/:organizationId/${folder}:fileName`,
      config: { isStoredFile: true },
      handler: (request, reply) => {
        const { organizationId, fileName } = request.params;
        const name = pattern.exec(fileName)?.[1];
        if (name === undefined || !ORGANIZATION_ID.test(organizationId)) return reply.callNotFound();
        return sendPublicFile(request, reply, files, {
          key: pictureKey(Number(organizationId) as OrganizationId, form, name),
          contentType: "image/png",
          tag: name,
        });
      },
    });
  }
  const drawn = new DrawnPictures();
  pages.route<{ Params: { fileName: string } }>({
    method: ["GET", "HEAD"],
    url: `${DRAWN_FOLDER}:fileName`,
    config: { isStoredFile: true },
    handler: (request, reply) => {
      const { fileName } = request.params;
      if (!parseDrawing(fileName)) return reply.callNotFound();
      const tag = `${fileName}:${DRAWING_VERSION}`;
      return sendPublicFile(request, reply, drawn, { key: fileName, contentType: "image/png", tag });
    },
  });
}
