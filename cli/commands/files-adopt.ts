import { namesFiles } from "../../server/content/names-files.ts";
import { keepStoredFilesMark, noteFilesMarkWritten } from "../../server/platform/db/stored-files-mark.ts";
import type { Services } from "../../server/services.ts";
import { CommandError, command, exitCodes } from "../command.ts";
import { readInstallationConfig, withInstallation } from "../installation/installation.ts";
import { becomeOwner } from "../installation/owner.ts";
import { jsonOption, print } from "../options/json.ts";

export const filesAdopt = command({
  usage: ["files adopt [--empty] [--replace]"],
  details: `
Makes the directory or bucket in PARLEY_FILES that of this installation's files. The database and that
place have the same mark, and without it no server starts: it may be a disk that is not mounted. A copy of
the files usually has the mark, which is the hidden file .parley-files. This writes it anew.

Mount the disk or copy the files first. A running server uses the place at once.`,
  options: {
    empty: { description: "Take a place without files, though the database names some. They stay missing." },
    replace: { description: "Take a place with the mark of another installation, which can't use it then." },
    json: jsonOption,
  },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    // Root must not write by a link that the directory's user made meanwhile.
    becomeOwner(readInstallationConfig(environment).dataDir);
    const { place, written } = await withInstallation(environment, (services) => adopt(services, values));
    print(
      values,
      `${place} ${written ? "is now" : "was already"} the place of this installation's files.\n`,
      { place, written },
    );
    return exitCodes.ok;
  },
});

async function adopt(
  { database, files: { mark } }: Pick<Services, "database" | "files">,
  { empty = false, replace = false }: { empty?: boolean; replace?: boolean },
): Promise<{ place: string; written: boolean }> {
  const { id } = await keepStoredFilesMark(database);
  const place = mark.placeName;
  const found = await mark.read();
  if (found !== undefined && found !== id && !replace) {
    throw new CommandError(
      "files-elsewhere",
      `${place} has the mark of another installation, whose servers can't use it any more if it is replaced. Add --replace to do it.`,
    );
  }
  if (!empty && (await namesFiles(database)) && (await mark.isPlaceEmpty())) {
    throw new CommandError(
      "files-elsewhere",
      `${place} has no files, but the database names some. Mount the disk, or copy the files there first. If they are lost, add --empty.`,
    );
  }
  if (found !== id) await mark.write(id);
  await noteFilesMarkWritten(database);
  return { place, written: found !== id };
}
