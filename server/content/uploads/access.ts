import { ApiError, errors } from "../../../api/errors.ts";
import { readContent } from "../../people/viewer/read.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { findLinkedUpload } from "./links.ts";
import type { LinkedUpload, ReadableUploads } from "./upload.ts";

/**
 * Returns the upload with this path if the viewer may read it now; without a viewer, if everybody may. Throws
 * `fileNotFound` for one that does not exist, and `fileNotReadable` to accounts that may not read it. A
 * visitor without an account does not learn which of the two it is.
 */
export async function accessUpload(
  readable: ReadableUploads,
  state: OrganizationState,
  viewer: Viewer | undefined,
  path: string,
): Promise<LinkedUpload> {
  return readContent(state, viewer, async (tx, current) => {
    const upload = await findLinkedUpload(tx, state, path);
    if (!upload) throw new ApiError(errors.fileNotFound);
    const [found] = await readable({ state, user: current?.user }, tx, [upload]);
    if (!found) throw new ApiError(current ? errors.fileNotReadable : errors.fileNotFound);
    return found;
  });
}
