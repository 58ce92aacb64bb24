import type { UserId } from "../../../api/ids.ts";
import type { OrganizationState } from "../log/organization-state.ts";

/** What one call adds to its caller. */
export interface OwnCall {
  /** The name of the client program, in lower case. */
  client: string;
  /** The IP address that it came from. */
  address: string;
  /** Gives the caller's session another token with the response. undefined: no session came with it. */
  renewSession: ((token: string) => void) | undefined;
}

/** The account that makes a request, with what the HTTP edge needs of it. */
export interface Caller {
  state: OrganizationState;
  /** `botOwnerId`: the person whose bot it is. A person, and a bot without an owner, have none. */
  user: { readonly id: UserId; readonly role: number; readonly botOwnerId?: UserId | null };
  /** It can only call what is meant for accounts that send messages and read nothing. */
  isWriteOnly?: boolean;
  /** It can only call what setting up a second step needs. */
  mustSetUpSecondStep?: boolean;
  /** The name of the client program, in lower case: the first word of its User-Agent. */
  client: string;
  /** The IP address that a change was asked from; absent in reads, and where there was no request. */
  address?: string;
  /** Gives the caller's session another token with the response. Absent where no session identified them. */
  renewSession?: (token: string) => void;
}
