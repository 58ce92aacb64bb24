import { exitCodes } from "./exit-codes.ts";
import type { Fault } from "./fault.ts";

/** Making, finding and restoring backups. */
export const backupFaults = {
  "backup-target": {
    number: "P401",
    exit: exitCodes.cantCreate,
    what: "The directory for backups can't be written, is read-only, or is no directory.",
    remedy:
      "`ls -ld DIR` shows whose it is, and `findmnt -T DIR` how its disk is mounted. Or name another target.",
  },
  "backup-place": {
    number: "P402",
    exit: exitCodes.cantCreate,
    what: "Backups can't lie at this place: it has something else, those of another installation, or is inside of what they are of.",
    remedy: "Name an empty or a new directory on another disk, or a prefix of its own in a bucket.",
  },
  "backup-key": {
    number: "P403",
    exit: exitCodes.settings,
    what: "The backups are encrypted with another key than the one in `PARLEY_BACKUP_KEY`, or only one of the two is.",
    remedy:
      "Set `PARLEY_BACKUP_KEY` to the key whose id the sentence has. Without that key nobody can read them.",
  },
  "backup-missing": {
    number: "P404",
    exit: exitCodes.noInput,
    what: "There is no such backup in the target, or none from which the named moment can be reached.",
    remedy:
      "`parley backup list TARGET` shows what is there. `findmnt -T DIR` says whether its disk is mounted.",
  },
  "backup-damaged": {
    number: "P405",
    exit: exitCodes.data,
    what: "A part of the backup is missing or is not what it was, so it can't be restored whole.",
    remedy:
      "Restore an older one, which `parley backup list TARGET` shows, by `--backup ID`, and check it with `parley backup verify`. Look at the disk of the target.",
  },
  "backup-newer": {
    number: "P406",
    exit: exitCodes.data,
    what: "The backup was made by another release than this one can read.",
    remedy: "Restore it with the release that the sentence names.",
  },
  "backup-busy": {
    number: "P407",
    exit: exitCodes.later,
    what: "Another backup of this installation is being made.",
    remedy: "Wait until it has ended, then run the command again.",
  },
  "backup-broken-off": {
    number: "P408",
    exit: exitCodes.later,
    what: "The backup was not finished: its process or the database ended, or too much was written meanwhile. Earlier backups are whole.",
    remedy: "Run `parley backup TARGET` again, at a quieter time.",
  },
  "restore-place": {
    number: "P409",
    exit: exitCodes.cantCreate,
    what: "A restore needs an empty or a new directory, and this one has something in it.",
    remedy: "Name another with `--data-dir DIR`, or move away what is there.",
  },
  "installation-copy": {
    number: "P410",
    exit: exitCodes.failure,
    what: "The data directory is a copy of an installation. A copy mails nobody and makes no backups.",
    remedy:
      "Run the command on the original. If the copy has taken its place, delete the file `copy` in its data directory.",
  },
  "backup-old": {
    number: "P411",
    exit: exitCodes.failure,
    what: "The newest backup is older than two periods, or there is none.",
    remedy: "Make one with `parley backup TARGET`. The log says why the server made none.",
  },
  "backup-failed": {
    number: "P412",
    exit: exitCodes.failure,
    what: "The last backup that the server tried failed. It tries again by itself.",
    remedy: "Mend what the sentence names, then run `parley backup TARGET`.",
  },
  "backup-log": {
    number: "P413",
    exit: exitCodes.data,
    what: "The archived log of the database lacks a part, so only moments before that can be restored.",
    remedy:
      "Name an earlier moment with `--at`, or a backup alone with `--backup ID`. Then make a new backup.",
  },
} as const satisfies Record<string, Fault>;
