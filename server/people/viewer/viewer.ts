import type { UserId } from "../../../api/ids.ts";
import type { AuditEntry, AuditedChange } from "../../organization/audit-log/record.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { User } from "../user.ts";

/** The acting account: an active person or bot. Made only by authentication and by the command line. */
export interface Viewer {
  state: OrganizationState;
  user: User;
  /** An incoming webhook bot, which can only send messages. Set by authentication. */
  isWriteOnly?: boolean;
  /** The organization requires a second step of the person, who has none. Set where a session is found. */
  mustSetUpSecondStep?: boolean;
  /** The name of the client program, in lower case: the first word of its User-Agent. */
  client: string;
  /** The IP address that a change was asked from; absent in reads, and where there was no request. */
  address?: string;
  /** The server's operator acts in the name of this account, by the command line. */
  isOperator?: boolean;
  /** Gives the caller's session another token with the response. Absent where no session identified them. */
  renewSession?: (token: string) => void;
  /**
   * What the request came with. Once it is not the account's any more, nothing is done for the request.
   * undefined: no request asks, but a job or the command line.
   */
  credential?: Credential;
  /** Called with each entry of the audit log that no mail was sent about. */
  noteEntry?: (tx: AuditedChange, entry: AuditEntry) => Promise<void>;
  /**
   * Called again in the change that a fresh proof was asked for. Throws the `ApiError` that says why what was
   * shown no longer counts.
   */
  checkProven?: (state: OrganizationState) => void;
  /** The stored hash for a password, if the caller has shown just this one as a fresh proof with the call. */
  hashOfShown?: (password: string) => string | undefined;
}

/**
 * A viewer for one call alone. Every field of a viewer is here, since a spread and what is added to it took a
 * microsecond of each call that changes something.
 */
export function viewerOfCall(
  viewer: Viewer,
  { client, address, renewSession }: Pick<Viewer, "client" | "address" | "renewSession">,
): { [Field in keyof Required<Viewer>]: Viewer[Field] } {
  return {
    state: viewer.state,
    user: viewer.user,
    isWriteOnly: viewer.isWriteOnly,
    mustSetUpSecondStep: viewer.mustSetUpSecondStep,
    client,
    address,
    isOperator: viewer.isOperator,
    renewSession,
    credential: viewer.credential,
    noteEntry: viewer.noteEntry,
    checkProven: viewer.checkProven,
    hashOfShown: viewer.hashOfShown,
  };
}

/** An API key or the token of a session, by its keyed hash in base64. */
export type Credential = (
  | { kind: "API key"; hash: string }
  | { kind: "session"; id: number; hash: string }
) & {
  /** Throws the `ApiError` that says why it is the account's no more. */
  check: (state: OrganizationState) => void;
};

/**
 * The keyed hash of the session with this number, or of the API key for 0. undefined: the account has no such
 * session any more.
 */
export type CredentialHashes = (
  state: OrganizationState,
  userId: UserId,
  sessionId: number,
) => string | undefined;
