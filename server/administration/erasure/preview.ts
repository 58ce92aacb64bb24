/** What an erasure would do, in numbers, for the command line. */
import { countSent } from "../../messages/erasure/erase-messages.ts";
import type { User } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { countRowsOf } from "./store.ts";
import { deletionsOf } from "./tables.ts";

export interface ErasurePreview {
  /** Messages that the person sent. */
  messages: number;
  /** Tables with rows that would go, and how many. */
  rows: ReadonlyMap<string, number>;
}

export async function previewErasure(state: OrganizationState, { id }: User): Promise<ErasurePreview> {
  const rows = new Map<string, number>();
  for (const deletion of [...deletionsOf("now"), ...deletionsOf("later")]) {
    const count = await countRowsOf(state.database, deletion, state.organizationId, id);
    if (count > 0) rows.set(deletion.table, count);
  }
  return { messages: await countSent(state, id), rows };
}
