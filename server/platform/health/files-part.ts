import type { FileStorage } from "../file-storage/file-storage.ts";
import { judgeSpace, readDiskSpace } from "./disk-part.ts";
import { down, ok, type Part } from "./finding.ts";

/** A bucket charges for each look. */
const BUCKET_SECONDS = 300;
const DIRECTORY_SECONDS = 30;

/** `directory`: the one whose disk no other part looks at. */
interface FilesPlace {
  isBucket: boolean;
  directory: string | undefined;
}

/** Whether files can be stored. */
export function filesPart(files: Pick<FileStorage, "check">, { isBucket, directory }: FilesPlace): Part {
  return {
    name: "files",
    everySeconds: isBucket ? BUCKET_SECONDS : DIRECTORY_SECONDS,
    async check() {
      const problem = await files.check();
      if (problem !== undefined) return down("files-away", problem);
      if (directory === undefined) return ok("Files can be stored.");
      return judgeSpace("files", directory, await readDiskSpace(directory));
    },
  };
}
