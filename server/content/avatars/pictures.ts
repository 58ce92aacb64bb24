/** Uploaded pictures of people, bots and the organization: how they are made and stored, and when they go. */

import { randomBytes } from "node:crypto";
import { Type } from "typebox";
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationId } from "../../../api/ids.ts";
import { organization } from "../../organization/organization.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { users } from "../../people/user.ts";
import { changeContent } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { ReceivedFile } from "../../platform/http/received-files.ts";
import { holderOf } from "../../platform/images/image-holder.ts";
import { refusingPictures } from "../../platform/images/image-refusal.ts";
import { makeThumbnail } from "../../platform/images/images.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";

const square = (side: number) => ({ width: side, height: side, fit: "cover" }) as const;
/** The files of a picture: what is put before the ending of the name, and how large they are. */
const forms = {
  avatar: { folder: "avatars", files: { "": square(100), "-medium": square(500) } },
  icon: { folder: "organization", files: { "": square(100) } },
  logo: { folder: "organization", files: { "": { width: 800, height: 100, fit: "inside" } } },
} as const;
export type PictureForm = keyof typeof forms;

/** A photograph of a good camera has that many. */
const MAX_PIXELS = 50_000_000;
/** By then an upload has stored its picture, or failed. */
const UPLOAD_MS = 3600 * 1000;

/** A random name: the picture can be loaded without credentials, by anyone who knows its address. */
export const PICTURE_NAME = "[0-9a-f]{32}";

/**
 * Makes the pictures of an uploaded file and stores them under a new name, which it returns. It must be
 * called before the transaction of the change. A job deletes the files later if nothing has their name.
 */
export async function storePicture(
  { config, files }: Pick<Services, "config" | "files">,
  viewer: Viewer,
  form: PictureForm,
  received: readonly ReceivedFile[],
): Promise<string> {
  const [file, ...others] = received;
  if (!file || others.length > 0) throw new ApiError(errors.exactlyOneFile);
  const { organizationId } = viewer.state;
  const fileName = randomBytes(16).toString("hex");
  await changeContent(viewer, async (tx) => {
    await new Quotas(config).use(tx, "pictures");
    const runAt = new Date(Date.now() + UPLOAD_MS);
    await enqueue(tx, deleteUnusedPicture, { organizationId, form, fileName }, { runAt });
  });
  const holder = holderOf(organizationId, viewer.user.id);
  const limits = { maxPixels: MAX_PIXELS, isAnimated: false, holder };
  const made = await refusingPictures(() =>
    Promise.all(
      Object.entries(forms[form].files).map(async ([ending, size]) => ({
        key: pictureKey(organizationId, form, fileName + ending),
        thumbnail: await makeThumbnail(file.path, { ...size, ...limits }),
      })),
    ),
  );
  for (const { key, thumbnail } of made) await files.put(key, thumbnail);
  return fileName;
}

/** Deletes the files of a picture after the commit of the change that takes its name out of use. */
export function discardPicture(
  tx: Queryable & { state: OrganizationState },
  form: PictureForm,
  fileName: string | null,
): Promise<void> {
  const { organizationId } = tx.state;
  if (fileName === null) return Promise.resolve();
  return enqueue(tx, deleteUnusedPicture, { organizationId, form, fileName });
}

/** Nothing ever gets the name of a picture that was out of use, since each upload has a new one. */
export const deleteUnusedPicture = defineJob({
  name: "delete_unused_picture",
  payload: Type.Object({
    organizationId: Type.Integer(),
    form: Type.Enum(["avatar", "icon", "logo"]),
    fileName: Type.String(),
  }),
  async run(
    { organizations, files }: Pick<Services, "files" | "organizations">,
    { organizationId, form, fileName },
  ) {
    const state = await organizations.byId(organizationId as OrganizationId);
    // Another node may have made the change.
    await state.catchUp();
    if (isInUse(state, fileName)) return;
    for (const key of pictureKeys(state.organizationId, form, fileName)) await files.delete(key);
  },
});

function isInUse(state: OrganizationState, fileName: string): boolean {
  const { pictures } = state.get(organization);
  if (Object.values(pictures).includes(fileName)) return true;
  return [...state.get(users).byId.values()].some(({ avatarFile }) => avatarFile === fileName);
}

/** The keys of all files of a picture. */
export function pictureKeys(organizationId: OrganizationId, form: PictureForm, fileName: string): string[] {
  return Object.keys(forms[form].files).map((ending) => pictureKey(organizationId, form, fileName + ending));
}

/** Under which a file is stored. `name` is without the ending. */
export function pictureKey(organizationId: OrganizationId, form: PictureForm, name: string): string {
  return `${organizationId}/${forms[form].folder}/${name}.png`;
}
