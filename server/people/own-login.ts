import type { Change } from "../platform/log/change.ts";
import type { User } from "./user.ts";
import type { ViewerChange } from "./viewer/change.ts";
import type { Viewer } from "./viewer/viewer.ts";

export interface OwnLogin {
  email?: string | undefined;
  oldPassword?: string | undefined;
  newPassword?: string | undefined;
  /** With another password. By default the API key stays. */
  keepsApiKey?: boolean | undefined;
  /** Whether the person gets mails about sign-ins from new devices. */
  wantsLoginMails?: boolean | undefined;
}

/**
 * Prepares a change of the viewer's own address or password, which modules above make: they send mail and end
 * sessions. The function that it returns is called in the change of the other settings.
 */
export type PrepareOwnLogin = (
  from: { viewer: Viewer; address: string },
  login: OwnLogin,
) => Promise<(tx: ViewerChange) => Promise<void>>;

/**
 * Ends links that were mailed to somebody, and tells them of another address. Modules above do that: they
 * send mail. It may be the same address.
 */
export type NoteNewAddress = (tx: Change, before: User, after: User) => Promise<void>;
