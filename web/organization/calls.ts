/** How this region calls the server, and what the viewer may do in it. */

import { roles } from "../../api/roles.ts";
import type { Answer, Callable, CallOptions } from "../../client/connection.ts";
import { hasPermission } from "../../client/permissions.ts";
import { withProof } from "../shared/proof/proof.tsx";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";

/** A file may take long to send. */
const FILE_TIMEOUT_MS = 5 * 60_000;

/** Where the server asks who one is, the person is asked, and the call is made again. */
export function call<P extends object, R extends object>(
  endpoint: Callable<P, R>,
  parameters: NoInfer<P>,
  options: CallOptions = {},
): Promise<Answer<R>> {
  return withProof((proof) => state.connection.call(endpoint, { ...parameters, ...proof }, options));
}

export function callWithFile<P extends object, R extends object>(
  endpoint: Callable<P, R>,
  parameters: NoInfer<P>,
  file: File,
): Promise<Answer<R>> {
  const files = [{ name: file.name, content: file }];
  return call(endpoint, parameters, { files, timeoutMs: FILE_TIMEOUT_MS });
}

const roleOf = () => state.model.viewer.user?.role ?? roles.guest;

export const isAdministrator = () => live(["users", "generation"], () => roleOf() <= roles.administrator);
export const isOwner = () => live(["users", "generation"], () => roleOf() <= roles.owner);
export const isMember = () => live(["users", "generation"], () => roleOf() < roles.guest);

/** By its name on the wire. */
export function permissionSignal(permission: string) {
  return live(["organization", "groups", "users", "generation"], () =>
    hasPermission(state.model, permission),
  );
}

/** A setting of the organization, by its name on the wire without a prefix. */
export function settingSignal<T>(name: string, fallback: T) {
  return live(["organization", "generation"], () =>
    state.model.organization.get({ name, default: fallback }),
  );
}
