/**
 * Where the picture of a person or bot is. An uploaded one comes first. For everybody else the organization
 * decides: the server draws their initials, or the picture is made from the email address by Gravatar.
 *
 * The address of a drawn picture says everything that is in it, so the server keeps nothing for it, and it
 * changes with the name. It has no ID in it: people who may see the picture know the name too.
 */
import { createHash } from "node:crypto";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { OrganizationId } from "../../../api/ids.ts";
import { settingOf } from "../../organization/setting.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { hasPublicEmail, shownEmail } from "../email/email-visibility.ts";
import { hiddenEmail } from "../email/hidden-email.ts";
import type { User } from "../user.ts";

export type PictureSize = "normal" | "medium";
/** How many grounds drawn pictures can have. */
export const COLOURS = 16;
/** Where drawn pictures are. */
export const DRAWN_FOLDER = "/user_avatars/drawn/";

/** How the pictures of people are made who have not uploaded one. */
export const defaultSources = { drawn: "J", gravatar: "G" } as const;
export type DefaultSource = (typeof defaultSources)[keyof typeof defaultSources];

export function defaultSourceOf(state: OrganizationState): DefaultSource {
  return settingOf(state, organizationSettings.defaultAvatarSource) === "G" ? "G" : "J";
}

/** Where the picture comes from, as clients know it. */
export function avatarSource(
  state: OrganizationState,
  user: User,
  source = defaultSourceOf(state),
): "U" | DefaultSource {
  return user.avatarFile === null ? source : "U";
}

/**
 * null for a client that makes the address from the email itself (spec Message, `avatar_url`). It can't do
 * that for an email that is hidden. That person's picture is made from the address that stands for it, since
 * a hash of the real one could be tried out.
 */
export function avatarUrl(
  state: OrganizationState,
  user: User,
  clientGravatar: boolean,
  size: PictureSize = "normal",
  source = defaultSourceOf(state),
): string | null {
  const own = ownAddress(state, user, size, source);
  if (own !== undefined) return own;
  if (clientGravatar && hasPublicEmail(user)) return null;
  return gravatarUrl(shownEmail(state, user), user, size);
}

/** The picture for a reader without an account, who must not learn of any email address. */
export function publicAvatarUrl(state: OrganizationState, user: User, size: PictureSize = "normal"): string {
  return (
    ownAddress(state, user, size, defaultSourceOf(state)) ?? gravatarUrl(hiddenEmail(state, user), user, size)
  );
}

/** COMPAT: clients put `-medium` before the ending for the larger picture. */
export function withSize(address: string, size: PictureSize): string {
  return size === "medium" ? address.replace(/\.png$/, "-medium.png") : address;
}

/** The address of an uploaded picture, below the organization's URL. */
export function uploadedUrl(organizationId: OrganizationId, file: string, size: PictureSize): string {
  return withSize(`/user_avatars/${organizationId}/${file}.png`, size);
}

/** On this server; undefined for a picture of Gravatar. */
function ownAddress(
  { organizationId }: OrganizationState,
  user: User,
  size: PictureSize,
  source: DefaultSource,
): string | undefined {
  if (user.avatarFile !== null) return uploadedUrl(organizationId, user.avatarFile, size);
  return source === defaultSources.drawn ? withSize(drawnUrl(user), size) : undefined;
}

function gravatarUrl(
  email: string,
  { avatarVersion }: Pick<User, "avatarVersion">,
  size: PictureSize,
): string {
  const hash = createHash("md5").update(email.toLowerCase()).digest("hex");
  const query = `d=identicon&version=${avatarVersion}${size === "medium" ? "&s=500" : ""}`;
  return `https://secure.gravatar.com/avatar/${hash}?${query}`;
}

/** A user in memory is replaced when the name changes. */
const drawn = new WeakMap<User, string>();

function drawnUrl(user: User): string {
  let address = drawn.get(user);
  if (address === undefined) {
    const letters = initials(user.fullName).map((letter) => letter.codePointAt(0)?.toString(16));
    address = `${DRAWN_FOLDER}${[...letters, `c${user.id % COLOURS}`].join("-")}.png`;
    drawn.set(user, address);
  }
  return address;
}

/**
 * The first letters of the first and of the last word, as capitals. Marks that are separate characters are
 * left out.
 */
export function initials(name: string): string[] {
  const firsts = name
    .normalize("NFC")
    .split(/\s+/)
    .flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const chosen = firsts.length > 1 ? [firsts[0], firsts.at(-1)] : firsts;
  return chosen.flatMap((letter) => [...(letter as string).toUpperCase()][0] ?? []);
}
