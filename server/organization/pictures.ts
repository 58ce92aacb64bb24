/** The organization's own pictures: a square one, and wide ones for light and dark backgrounds. */
import { organizationUpdatedTogether } from "../../api/events/organization.ts";
import type { Change } from "../platform/log/change.ts";
import { everyone } from "../platform/log/log-entry.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { patchOf } from "../platform/log/projection.ts";
import { organization } from "./organization.ts";
import { type OrganizationPictures, updatePictures } from "./store.ts";

export type OrganizationPicture = keyof OrganizationPictures;

/** The folder of their addresses. */
export const ORGANIZATION_PICTURES = "realm";
/** The picture of every organization that has none of its own. */
const DEFAULT_URL = "/logo.svg";
/** The sources of pictures as clients know them: for uploaded ones, and for that of every organization. */
const UPLOADED = "U";
const defaultSources = { icon: "G", logo: "D", nightLogo: "D" } as const;
const wireNames = { icon: "icon", logo: "logo", nightLogo: "night_logo" } as const;
const pictureList = ["icon", "logo", "nightLogo"] as const;

/** The address of a picture, below the organization's URL. */
export function organizationPictureUrl(state: OrganizationState, picture: OrganizationPicture): string {
  const { pictures } = state.get(organization);
  return urlOf(state, pictures[picture]);
}

/** The address and the source of a picture, by the names of `realm` events. */
export function presentPicture(
  state: OrganizationState,
  picture: OrganizationPicture,
  file = state.get(organization).pictures[picture],
): Record<string, string> {
  const name = wireNames[picture];
  return {
    [`${name}_url`]: urlOf(state, file),
    [`${name}_source`]: file === null ? defaultSources[picture] : UPLOADED,
  };
}

/** All pictures, as `/register` sends them. */
export function presentPictures(state: OrganizationState): Record<string, string> {
  const fields = pictureList.flatMap((picture) => Object.entries(presentPicture(state, picture)));
  return Object.fromEntries(fields.map(([name, value]) => [`realm_${name}`, value]));
}

/** Gives the organization another picture, or none, and announces that to everyone. */
export async function changeOrganizationPicture(
  tx: Change,
  picture: OrganizationPicture,
  file: string | null,
): Promise<void> {
  const before = tx.state.get(organization);
  const next = { ...before, pictures: { ...before.pictures, [picture]: file } };
  await updatePictures(tx, next.id, next.pictures);
  const property = wireNames[picture];
  const data = presentPicture(tx.state, picture, file);
  tx.append(organizationUpdatedTogether, { property, data }, everyone, patchOf(organization, next));
}

function urlOf({ organizationId }: OrganizationState, file: string | null): string {
  return file === null ? DEFAULT_URL : `/user_avatars/${organizationId}/${ORGANIZATION_PICTURES}/${file}.png`;
}
