/**
 * The links by which people end a kind of mail without a sign-in. The code is a keyed hash over the
 * organization, the person and the kind. So it needs no row, and works as long as PARLEY_SECRET stays.
 */
import { timingSafeEqual } from "node:crypto";
import type { UserId } from "../../../api/ids.ts";
import type { User } from "../../people/user.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/** What the links name. They are in mails that were sent long ago, so they keep their meaning. */
export const mailKinds = ["missed-messages", "sign-in-notices", "welcome", "digest"] as const;
export type MailKind = (typeof mailKinds)[number];

const CODE = /^(\d{1,15})-([\w-]{43})$/;

export function unsubscribeUrl(
  keyring: Keyring,
  state: OrganizationState,
  { id }: Pick<User, "id">,
  kind: MailKind,
  site: string,
): string {
  return `${site}/unsubscribe/${kind}/${id}-${hashOf(keyring, state, id, kind).toString("base64url")}`;
}

/** The person whom a code was made for; undefined for any other text. */
export function readUnsubscribeCode(
  keyring: Keyring,
  state: OrganizationState,
  kind: MailKind,
  code: string,
): UserId | undefined {
  const [, id, hash = ""] = CODE.exec(code) ?? [];
  if (id === undefined) return undefined;
  const userId = Number(id) as UserId;
  const isRight = timingSafeEqual(Buffer.from(hash, "base64url"), hashOf(keyring, state, userId, kind));
  return isRight ? userId : undefined;
}

function hashOf(keyring: Keyring, { organizationId }: OrganizationState, userId: UserId, kind: MailKind) {
  return keyring.hash(`unsubscribe user ${userId} of organization ${organizationId} from ${kind}`);
}
