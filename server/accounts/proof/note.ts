import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { updateSessionProof } from "../sessions/store.ts";

/** Notes what was shown in the viewer's session, so that it is not asked for again in the next minutes. */
export async function noteProof(
  tx: Queryable,
  { state, credential }: Pick<Viewer, "state" | "credential">,
  byStep: boolean,
): Promise<void> {
  if (credential?.kind !== "session") return;
  await updateSessionProof(tx, state.organizationId, credential.id, { byStep });
}
