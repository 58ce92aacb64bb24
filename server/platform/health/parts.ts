import type { Config } from "../../config.ts";
import { isCopy } from "../backup/copy-mark.ts";
import type { Database } from "../db/database.ts";
import type { FileStorage } from "../file-storage/file-storage.ts";
import { filesDirectory } from "../file-storage/open-storage.ts";
import { certificateFilesOf, hostOf } from "../tls/certificate-files.ts";
import { backupPart } from "./backup-part.ts";
import { certificatePart } from "./certificate-part.ts";
import { clockPart } from "./clock-part.ts";
import { databasePart } from "./database-part.ts";
import { diskPart } from "./disk-part.ts";
import { filesPart } from "./files-part.ts";
import type { Part } from "./finding.ts";
import { jobsPart } from "./jobs-part.ts";
import { mailPart } from "./mail-part.ts";

export interface PartSources {
  config: Pick<
    Config,
    "backup" | "backupAt" | "databaseUrl" | "dataDir" | "files" | "publicUrl" | "s3" | "tls"
  >;
  database: Database;
  files: FileStorage;
  /** Whether this process has settings for mail. */
  canSendMail: boolean;
}

/** The parts of a server with these settings. The disk of an outside database is its own operator's. */
export function partsOf({ config, database, files, canSendMail }: PartSources): Part[] {
  const { backup, backupAt, databaseUrl, dataDir, s3 } = config;
  const certificate = certificateFilesOf(config);
  const hasBackups = backup !== undefined && databaseUrl === undefined && !isCopy(dataDir);
  return [
    databasePart(database),
    ...(databaseUrl === undefined ? [diskPart(dataDir)] : []),
    filesPart(files, { isBucket: s3 !== undefined, directory: ownDisk(config) }),
    mailPart(database, canSendMail),
    jobsPart(database),
    clockPart(database),
    ...(certificate ? [certificatePart(certificate, hostOf(config.publicUrl))] : []),
    ...(hasBackups ? [backupPart(dataDir, backupAt)] : []),
  ];
}

/** The directory of files, unless the disk that it is on by default is looked at as the database's. */
function ownDisk(config: PartSources["config"]): string | undefined {
  if (config.s3 || (config.databaseUrl === undefined && config.files === undefined)) return undefined;
  return filesDirectory(config);
}
