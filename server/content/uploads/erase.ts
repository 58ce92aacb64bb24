import { rm } from "node:fs/promises";
import type { UserId } from "../../../api/ids.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { removeUploads } from "./actions.ts";
import { deleteFilesNow } from "./delete-files.ts";
import { deletePartialsOf, listPartialsOf } from "./partial/store.ts";
import { listUnlinkedOf, lockAttachments } from "./store.ts";

const AT_ONCE = 200;

/**
 * Deletes what a person has uploaded and no message links, and what never arrived whole, with the files. Call
 * it once the person's drafts and scheduled messages are gone: nothing else may link these.
 */
export async function deleteUnlinkedOf(
  services: Pick<Services, "database" | "files">,
  state: OrganizationState,
  ownerId: UserId,
): Promise<void> {
  const { organizationId } = state;
  for (let isMore = true; isMore; ) {
    const removed = await runContentChange(state, async (tx) => {
      const ids = await listUnlinkedOf(tx, organizationId, ownerId, AT_ONCE);
      const uploads = await lockAttachments(tx, organizationId, ids, 1);
      // A message may have linked one meanwhile.
      const unlinked = uploads.filter(({ messages }) => messages.length === 0);
      return { ids, keys: unlinked.length > 0 ? await removeUploads(tx, unlinked) : [] };
    });
    await deleteFilesNow(services, organizationId, removed.keys);
    isMore = removed.ids.length === AT_ONCE;
  }
  const owner = { organizationId, ownerId };
  for (const id of await listPartialsOf(services.database, owner)) {
    await rm(await services.files.partialPath(id), { force: true });
  }
  await deletePartialsOf(services.database, owner);
}
