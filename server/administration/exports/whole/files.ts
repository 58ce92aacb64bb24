/** The stored files that rows name. An archive has them in `files/`, by keys without the organization. */
import type { WholeTable } from "./columns.ts";

/** What becomes of a file in the new organization follows from its folder. */
export const fileFolders = ["uploads", "avatars", "organization", "emoji", "emoji/still"] as const;

/** The keys of the files that belong to a row, without the organization's folder. */
export function filesOfRow({ name }: Pick<WholeTable, "name">, row: Record<string, unknown>): string[] {
  switch (name) {
    case "users":
      return namesOf(row.avatar_file).flatMap((file) => [
        `avatars/${file}.png`,
        `avatars/${file}-medium.png`,
      ]);
    case "organizations":
      return namesOf(row.icon_file, row.logo_file, row.night_logo_file).map(
        (file) => `organization/${file}.png`,
      );
    case "custom_emoji":
      return namesOf(row.file_name).flatMap((file) => {
        const still = `emoji/still/${file.replace(/\.[^.]*$/, "")}.png`;
        return row.is_animated === true ? [`emoji/${file}`, still] : [`emoji/${file}`];
      });
    case "uploads":
      return namesOf(row.storage_key);
    default:
      return [];
  }
}

function namesOf(...values: unknown[]): string[] {
  return values.filter((value) => typeof value === "string");
}
