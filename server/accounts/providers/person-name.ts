import { ApiError } from "../../../api/errors.ts";
import { MAX_FULL_NAME_LENGTH, MIN_FULL_NAME_LENGTH } from "../../../api/limits.ts";
import { parseFreeName } from "../../people/free-name.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { ExternalProfile } from "../../platform/oidc/profile.ts";

const UNFIT = /[*`\\>"@\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** The names of a profile as accounts can have them, the best one first. */
export function possibleNames({ names, email = "" }: ExternalProfile): string[] {
  const fit = [...names, email.split("@")[0] ?? ""].map((name) => {
    const plain = name.replace(UNFIT, " ").replace(/\|\d+\s*$/, "");
    return [...plain.replace(/\s+/g, " ").trim()].slice(0, MAX_FULL_NAME_LENGTH).join("").trim();
  });
  return fit.filter((name) => [...name].length >= MIN_FULL_NAME_LENGTH);
}

/** The name of a new account: the first that is free, or else the first, so that the error says why not. */
export function newName(state: OrganizationState, profile: ExternalProfile): string {
  const names = possibleNames(profile);
  const isFree = (name: string) => {
    try {
      parseFreeName(state, name);
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  };
  return names.find(isFree) ?? names[0] ?? "";
}
