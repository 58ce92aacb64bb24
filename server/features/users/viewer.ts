import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { User } from "./user.ts";

/** The acting account: an active person or bot. Made only by authentication and by the command line. */
export interface Viewer {
  state: OrganizationState;
  user: User;
  /** The name of the client program, in lower case: the first word of its User-Agent. */
  client: string;
}
