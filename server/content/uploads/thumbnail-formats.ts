/** The small pictures that the server makes of uploads. */
import type { ThumbnailFormatRecord } from "../../../api/register/organization.ts";

/** What messages show. */
export const STILL_THUMBNAIL = "840x560.webp";

export const thumbnailFormats: readonly ThumbnailFormatRecord[] = [
  { name: STILL_THUMBNAIL, max_width: 840, max_height: 560, format: "webp", animated: false },
  { name: "840x560-anim.webp", max_width: 840, max_height: 560, format: "webp", animated: true },
];
