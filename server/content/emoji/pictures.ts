/** The pictures of custom emoji: how they are made, where they are stored, and how they are served. */

import { randomBytes } from "node:crypto";
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationId } from "../../../api/ids.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import { type PageRoute, publicFile } from "../../platform/http/page-routes.ts";
import { sendPublicFile } from "../../platform/http/send-file.ts";
import { refusingPictures } from "../../platform/images/image-refusal.ts";
import { makeThumbnail, type Thumbnail } from "../../platform/images/images.ts";
import type { EmojiPicture } from "./store.ts";

/** Clients show emoji in a line of text, at most twice as high on fine screens. */
const SIZE = { width: 64, height: 64, fit: "contain" } as const;
/** A file of a few hundred kilobytes can have very many frames. */
const LIMITS = { maxPixels: 16_000_000, maxFrames: 200 };
const ENDINGS = { "image/png": "png", "image/webp": "webp" } as const;

/** A random name: the picture can be loaded without credentials, by anyone who knows its address. */
const FILE_NAME = /^[0-9a-f]{32}\.(png|webp)$/;
const ORGANIZATION_ID = /^[1-9]\d{0,15}$/;

/** Makes the pictures of an emoji from a file, and stores them. Nothing is stored if that fails. */
export async function storePictures(
  files: FileStorage,
  organizationId: OrganizationId,
  { path, holder }: { path: string; holder: string },
): Promise<EmojiPicture> {
  const make = (isAnimated: boolean) => makeThumbnail(path, { ...SIZE, ...LIMITS, isAnimated, holder });
  const [main, still] = await refusingPictures(async (): Promise<[Thumbnail, Thumbnail?]> => {
    const thumbnail = await make(true);
    return thumbnail.isAnimated ? [thumbnail, await make(false)] : [thumbnail];
  });
  const fileName = `${randomBytes(16).toString("hex")}.${ENDINGS[main.contentType]}`;
  const picture = { fileName, isAnimated: main.isAnimated };
  try {
    await files.put(keyOf(organizationId, fileName), main);
    if (still) await files.put(stillKeyOf(organizationId, stillNameOf(fileName)), still);
  } catch (error) {
    await deletePictures(files, organizationId, picture);
    throw error;
  }
  return picture;
}

export async function deletePictures(
  files: FileStorage,
  organizationId: OrganizationId,
  { fileName }: EmojiPicture,
): Promise<void> {
  await files.delete(keyOf(organizationId, fileName));
  await files.delete(stillKeyOf(organizationId, stillNameOf(fileName)));
}

/** Everyone can load them, as the addresses in messages need no credentials. */
export function emojiFiles(files: FileStorage): PageRoute[] {
  const places = [
    ["/user_avatars/:organizationId/emoji/images/:fileName", keyOf],
    ["/user_avatars/:organizationId/emoji/images/still/:fileName", stillKeyOf],
  ] as const;
  return places.map(([path, key]) =>
    publicFile(
      path,
      ({ request, reply, params: { organizationId, fileName } }) => {
        const ending = FILE_NAME.exec(fileName)?.[1];
        if (ending === undefined || !ORGANIZATION_ID.test(organizationId))
          throw new ApiError(errors.notFound);
        return sendPublicFile(request, reply, files, {
          key: key(Number(organizationId) as OrganizationId, fileName),
          contentType: ending === "png" ? "image/png" : "image/webp",
          tag: fileName,
        });
      },
      { limit: "files" },
    ),
  );
}

/** The keys of an emoji's pictures in the file storage. */
export function picturesOf(
  organizationId: OrganizationId,
  { fileName, isAnimated }: EmojiPicture,
): { main: string; still: string | undefined } {
  return {
    main: keyOf(organizationId, fileName),
    still: isAnimated ? stillKeyOf(organizationId, stillNameOf(fileName)) : undefined,
  };
}

function keyOf(organizationId: OrganizationId, fileName: string): string {
  return `${organizationId}/emoji/${fileName}`;
}

function stillKeyOf(organizationId: OrganizationId, fileName: string): string {
  return `${organizationId}/emoji/still/${fileName}`;
}

function stillNameOf(fileName: string): string {
  return fileName.replace(/\.[^.]*$/, ".png");
}
