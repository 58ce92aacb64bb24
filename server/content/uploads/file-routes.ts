/**
 * The addresses of uploads. The right to read a file is decided at each request, also for a part of it and
 * for a small picture of it. The temporary addresses say by their signature that they may be used.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { MissingFiles } from "../../platform/file-storage/missing-files.ts";
import { isApiError } from "../../platform/http/answer.ts";
import { type FileParameters, type FileRoute, fileRouteFor } from "../../platform/http/file-routes.ts";
import type { Call } from "../../platform/http/handler.ts";
import { answerWithFile, type FileAnswer } from "../../platform/http/send-file.ts";
import type { Services } from "../../services.ts";
import { accessUpload } from "./access.ts";
import { contentDisposition } from "./content-disposition.ts";
import { ANY_TYPE, isShown } from "./content-type.ts";
import { UPLOADS_FOLDER } from "./path.ts";
import { findTemporaryReader } from "./temporary-link.ts";
import { findThumbnail, THUMBNAIL_TYPE } from "./thumbnails.ts";
import type { LaterOfUploads, Upload } from "./upload.ts";

type FileCall = Call<FileParameters, Viewer | undefined>;

/** A browser shows the file and nothing else: no script runs, and the file has no part in the site. */
const FILE_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; frame-ancestors 'none'";
const common = {
  "Content-Security-Policy": FILE_POLICY,
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
};
/** Nobody but the reader's own browser keeps it, and that asks again after a while. */
const KEPT = "private, max-age=3600, immutable";

export function uploadFileRoutes(
  { files, keyring, log }: Pick<Services, "files" | "keyring" | "log">,
  { readableUploads: readable, credentialHash }: LaterOfUploads,
): FileRoute[] {
  const fileRoute = fileRouteFor<Viewer>();
  const access = ({ state, viewer }: FileCall, path: string) => accessUpload(readable, state, viewer, path);
  const missing = new MissingFiles(log);
  const named = { files, missing };
  return [
    fileRoute({
      name: "readFile",
      url: `${UPLOADS_FOLDER}:organization/*`,
      access: "spectator",
      answer: async (call) => sendUpload(named, call, await access(call, pathOf(call))),
    }),
    fileRoute({
      name: "downloadFile",
      url: `${UPLOADS_FOLDER}download/:organization/*`,
      access: "spectator",
      answer: async (call) => sendUpload(named, call, await access(call, pathOf(call)), { isDownload: true }),
    }),
    fileRoute({
      name: "readFileByTemporaryUrl",
      url: `${UPLOADS_FOLDER}temporary/:token/*`,
      access: "anyone",
      async answer(call) {
        const { state, params } = call;
        const { token = "", "*": path = "" } = params.path;
        const user = findTemporaryReader({ keyring, credentialHash }, state, path, token);
        if (!user) throw new ApiError(errors.fileNotFound);
        const upload = await accessUpload(readable, state, { state, user, client: "link" }, path).catch(
          hideReason,
        );
        return sendUpload(named, call, upload, { kept: "private, no-store" });
      },
    }),
    fileRoute({
      name: "readThumbnail",
      url: `${UPLOADS_FOLDER}thumbnail/:organization/*`,
      access: "spectator",
      async answer(call) {
        const path = pathOf(call);
        const slash = path.lastIndexOf("/");
        const format = path.slice(slash + 1);
        const upload = await access(call, path.slice(0, slash));
        const key = await noting(missing, call, upload, findThumbnail(files, call.state, upload, format));
        if (key === undefined) throw new ApiError(errors.fileNotFound);
        return answerWithFile(
          call.params.request,
          files,
          { key, contentType: THUMBNAIL_TYPE, tag: `${upload.id}-${format}` },
          { ...common, "Cache-Control": KEPT, "Content-Disposition": "inline" },
        );
      },
    }),
  ];
}

/** The address is passed on, and says nothing about the person who asked for it. */
function hideReason(error: unknown): never {
  throw isApiError(error) ? new ApiError(errors.fileNotFound) : error;
}

function pathOf({ params: { path } }: FileCall): string {
  return `${path.organization}/${path["*"]}`;
}

/** Passes on what is found for an upload, whose row is there. So a file that is missing is told of. */
async function noting<T>(
  missing: MissingFiles,
  { state: { organizationId } }: FileCall,
  { id }: Upload,
  found: Promise<T>,
): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (isApiError(error) && error.declaration.status === 404) missing.note({ organizationId, id });
    throw error;
  }
}

function sendUpload(
  { files, missing }: { files: Services["files"]; missing: MissingFiles },
  call: FileCall,
  upload: Upload,
  { isDownload = false, kept = KEPT }: { isDownload?: boolean; kept?: string } = {},
): Promise<FileAnswer> {
  const { id, storageKey, contentType, fileName } = upload;
  const isInline = !isDownload && isShown(contentType);
  const type = isShown(contentType) ? contentType : ANY_TYPE;
  const answer = answerWithFile(
    call.params.request,
    files,
    { key: storageKey, contentType: type, tag: `${id}` },
    {
      ...common,
      "Cache-Control": kept,
      "Content-Disposition": contentDisposition(isInline ? "inline" : "attachment", fileName),
    },
  );
  return noting(missing, call, upload, answer);
}
