import {
  deleteAttachment,
  getAttachments,
  getTemporaryFileUrl,
  uploadFile as uploadFileEndpoint,
} from "../../../api/content/uploads.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_ATTACHMENTS_LISTED, MAX_MESSAGES_OF_ATTACHMENT } from "../../../api/limits.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { accessUpload } from "./access.ts";
import { deleteUpload } from "./actions.ts";
import { deleteFilesNow } from "./delete-files.ts";
import { UPLOADS_FOLDER } from "./path.ts";
import { presentAttachment } from "./present.ts";
import { storeUpload } from "./receive.ts";
import { findSpace, listAttachments } from "./store.ts";
import { temporaryUrl } from "./temporary-link.ts";
import type { ReadableUploads } from "./upload.ts";

const LIMITS = { uploads: MAX_ATTACHMENTS_LISTED, messages: MAX_MESSAGES_OF_ATTACHMENT };

export function uploadRoutes(
  services: Pick<Services, "config" | "database" | "files" | "keyring">,
  readable: ReadableUploads,
): Route[] {
  return [
    route(
      uploadFileEndpoint,
      async ({ viewer, files: [file] }) => {
        if (!file) throw new ApiError(errors.noFileGiven);
        const { path, fileName } = await storeUpload(services, viewer, file);
        const url = `${UPLOADS_FOLDER}${path}`;
        return { url, uri: url, filename: fileName };
      },
      { maxFileBytes: services.config.maxUploadMib * 2 ** 20 },
    ),
    route(getTemporaryFileUrl, async ({ state, viewer, params: { realmIdStr, filename } }) => {
      const { path } = await accessUpload(readable, state, viewer, `${realmIdStr}/${filename}`);
      return { url: temporaryUrl(services.keyring, viewer, path) };
    }),
    route(getAttachments, async ({ state: { database, organizationId }, viewer }) => {
      const [own, used] = await Promise.all([
        listAttachments(database, organizationId, viewer.user.id, LIMITS),
        findSpace(database, organizationId),
      ]);
      return { attachments: own.map(presentAttachment), upload_space_used: used };
    }),
    route(deleteAttachment, async ({ viewer, params: { attachmentId } }) => {
      const keys = await changeContent(viewer, (tx) => deleteUpload(tx, attachmentId));
      await deleteFilesNow(services, viewer.state.organizationId, keys);
      return {};
    }),
  ];
}
