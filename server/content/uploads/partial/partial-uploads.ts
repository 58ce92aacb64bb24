/**
 * Uploads that arrive in several requests. A row says whose it is and how long it will be. What has arrived
 * is a file under the row's id, and its size is the offset. So a crash loses nothing that the disk has.
 *
 * The last byte counts as arrived only when the upload exists. A client that was cut off between the two
 * sends that byte again, and gets the response that it missed.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, type FileHandle, link, open, rm, stat } from "node:fs/promises";
import { organizationSettings } from "../../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../../api/errors.ts";
import { MAX_PARTIAL_UPLOADS, PARTIAL_UPLOAD_HOURS } from "../../../../api/limits.ts";
import { settingOf } from "../../../organization/setting.ts";
import { changeContent } from "../../../people/viewer/change.ts";
import type { Viewer } from "../../../people/viewer/viewer.ts";
import type { BodyStream } from "../../../platform/http/body-stream.ts";
import type { PartialUpload, ResumableUploads } from "../../../platform/http/tus.ts";
import type { Services } from "../../../services.ts";
import { UPLOADS_FOLDER } from "../path.ts";
import { storeUpload } from "../receive.ts";
import { addSpace } from "../store.ts";
import {
  countPartials,
  deletePartial,
  findPartial,
  finishPartial,
  insertPartial,
  type PartialOwner,
  type PartialRow,
  releaseWriter,
  renewWriter,
  takePartial,
} from "./store.ts";

const HOUR_MS = 3600 * 1000;
const MIB = 2 ** 20;
/** A third of the time after which another request may write. */
const RENEW_MS = 10_000;
/** An id is also a file's name, so nothing else gets to the disk. */
const ID = /^[A-Za-z0-9_-]{32}$/;

export function resumableUploads(
  services: Pick<Services, "config" | "database" | "files">,
): ResumableUploads {
  const maxBytes = services.config.maxUploadMib * MIB;
  return {
    maxBytes,
    create(viewer, { fileName, length }) {
      if (length > maxBytes) throw new ApiError(errors.fileTooLarge, { limit: services.config.maxUploadMib });
      return createPartial(services, viewer, fileName, length);
    },
    find: (viewer, id) => findNow(services, viewer, id),
    append: (viewer, id, offset, body) => appendTo(services, viewer, id, offset, body),
    remove: (viewer, id) => removePartial(services, viewer, id),
  };
}

async function createPartial(
  services: Pick<Services, "config" | "database" | "files">,
  viewer: Viewer,
  fileName: string,
  length: number,
): Promise<PartialUpload> {
  const id = randomBytes(24).toString("base64url");
  const row = await changeContent(viewer, async (tx) => {
    const { organizationId } = tx.state;
    // LOCK: the organization's row in upload_space, so that no other request counts at the same time.
    const used = await addSpace(tx, organizationId, 0);
    const quota = settingOf(tx.state, organizationSettings.uploadQuotaMib);
    if (quota !== null && used + length > quota * MIB) throw new ApiError(errors.uploadQuotaExceeded);
    const owner = ownerOf(tx.viewer);
    if ((await countPartials(tx, owner)) >= MAX_PARTIAL_UPLOADS)
      throw new ApiError(errors.tooManyPartialUploads, { limit: MAX_PARTIAL_UPLOADS });
    return insertPartial(tx, owner, { id, fileName, length });
  });
  const file = await open(await services.files.partialPath(id), "wx", 0o600);
  await file.close();
  if (length > 0) return progressOf(row, 0);
  return asWriter(services, viewer, id, (writer) => finish(services, viewer, row, writer));
}

async function findNow(
  services: Pick<Services, "database" | "files">,
  viewer: Viewer,
  id: string,
): Promise<PartialUpload> {
  const row = await accessPartial(services, viewer, id);
  if (row.uploadPath !== null) return progressOf(row, row.length);
  const found = await stat(await services.files.partialPath(id)).catch(missing);
  return progressOf(row, arrivedOf(row, found.size));
}

async function appendTo(
  services: Pick<Services, "config" | "database" | "files">,
  viewer: Viewer,
  id: string,
  offset: number,
  body: BodyStream,
): Promise<PartialUpload> {
  const known = await accessPartial(services, viewer, id);
  // The last request comes a second time if its response was lost.
  if (known.uploadPath !== null && offset === known.length) return progressOf(known, known.length);
  if (known.uploadPath !== null) throw new ApiError(errors.partialUploadOffset);
  return asWriter(services, viewer, id, async (writer, row, signal) => {
    const path = await services.files.partialPath(id);
    const file = await open(path, "r+").catch(missing);
    const end = await writeAt(file, row, offset, body, signal).finally(() => file.close());
    return end === row.length ? finish(services, viewer, row, writer) : progressOf(row, arrivedOf(row, end));
  });
}

/** Writes the body where the file ends, and returns its new end. */
async function writeAt(
  file: FileHandle,
  row: PartialRow,
  offset: number,
  body: BodyStream,
  signal: AbortSignal,
): Promise<number> {
  const { size } = await file.stat();
  if (offset !== arrivedOf(row, size)) throw new ApiError(errors.partialUploadOffset);
  const bytes = await body.writeTo({ file, position: offset, maxBytes: row.length - offset, signal });
  await file.datasync();
  return offset + bytes;
}

/** Makes an upload of the whole file, as if it had come in one request. */
async function finish(
  services: Pick<Services, "config" | "files">,
  viewer: Viewer,
  row: PartialRow,
  writer: string,
): Promise<PartialUpload> {
  const { files } = services;
  const { id, fileName, length: size } = row;
  const { organizationId } = viewer.state;
  const path = await files.partialPath(id);
  const copy = await files.temporaryPath();
  try {
    // The storage takes the file away. If the transaction fails, the next request needs it.
    await link(path, copy).catch((error: NodeJS.ErrnoException) =>
      // Some file systems have no links.
      error.code === "ENOENT" ? missing(error) : copyFile(path, copy, constants.COPYFILE_EXCL),
    );
    const upload = await storeUpload(services, viewer, { path: copy, fileName, size }, async (tx, added) => {
      if (!(await finishPartial(tx, organizationId, id, writer, added)))
        throw new ApiError(errors.noSuchPartialUpload);
    });
    await rm(path, { force: true }).catch(() => {});
    return progressOf({ ...row, fileName: upload.fileName, uploadPath: upload.path }, size);
  } finally {
    await rm(copy, { force: true });
  }
}

async function removePartial(
  { database, files }: Pick<Services, "database" | "files">,
  viewer: Viewer,
  id: string,
): Promise<void> {
  if (!ID.test(id) || !(await deletePartial(database, ownerOf(viewer), id)))
    throw new ApiError(errors.noSuchPartialUpload);
  // A request that writes the file meanwhile finds no row at its end.
  await rm(await files.partialPath(id), { force: true });
}

/** Runs `work` as the only writer of an upload. The signal says that it is no longer. */
async function asWriter<T>(
  { database }: Pick<Services, "database">,
  viewer: Viewer,
  id: string,
  work: (writer: string, row: PartialRow, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { organizationId } = viewer.state;
  const writer = randomUUID();
  const row = await takePartial(database, ownerOf(viewer), id, writer);
  if (!row) throw new ApiError(errors.partialUploadBusy);
  const lost = new AbortController();
  const timer = setInterval(() => {
    // While the database is away, nobody else can become the writer.
    renewWriter(database, organizationId, id, writer).then(
      (isWriter) => !isWriter && lost.abort(),
      () => {},
    );
  }, RENEW_MS);
  try {
    return await work(writer, row, lost.signal);
  } finally {
    clearInterval(timer);
    // What can't be released now is free after a while.
    await releaseWriter(database, organizationId, id, writer).catch(() => {});
  }
}

async function accessPartial(
  { database }: Pick<Services, "database">,
  viewer: Viewer,
  id: string,
): Promise<PartialRow> {
  const row = ID.test(id) ? await findPartial(database, ownerOf(viewer), id) : undefined;
  if (!row) throw new ApiError(errors.noSuchPartialUpload);
  return row;
}

function ownerOf({ state, user }: Viewer): PartialOwner {
  return { organizationId: state.organizationId, ownerId: user.id };
}

/** What counts as arrived of an unfinished file. */
function arrivedOf({ length }: PartialRow, size: number): number {
  return Math.max(0, Math.min(size, length - 1));
}

function progressOf(row: PartialRow, offset: number): PartialUpload {
  const { id, fileName, length, createdAt, uploadPath } = row;
  const url = `${UPLOADS_FOLDER}${uploadPath}`;
  return {
    id,
    fileName,
    length,
    offset,
    expiresAt: new Date(createdAt.getTime() + PARTIAL_UPLOAD_HOURS * HOUR_MS),
    outcome: uploadPath === null ? undefined : { url, uri: url, filename: fileName },
  };
}

/** The file went with a disk, or another node has it. Its client begins again. */
function missing(error: NodeJS.ErrnoException): never {
  throw error.code === "ENOENT" ? new ApiError(errors.noSuchPartialUpload) : error;
}
