import type { ExportType } from "../api/administration/exports.ts";
import type { User } from "./people/user.ts";
import type { OrganizationState } from "./platform/log/organization-state.ts";

/** The kinds of records in an export, in the order in which an import can read them. */
export const recordKinds = [
  "organization",
  "domains",
  "linkifiers",
  "playgrounds",
  "profile_fields",
  "users",
  "groups",
  "channel_folders",
  "channels",
  "subscriptions",
  "ended_subscriptions",
  "emoji",
  "messages",
] as const;

export type RecordKind = (typeof recordKinds)[number];
export type Records = Iterable<object> | AsyncIterable<object>;

/**
 * What a module gives to the exports of an organization, in its `exports.ts`. Each table has one owner, which
 * names it in one of the two lists. So nobody forgets it: a test compares them with the database.
 */
export interface ModuleExports {
  /** The tables of which something is in an export. */
  tables: readonly string[];
  /** The tables of which nothing is in one, and why. */
  leftOut: Readonly<Record<string, string>>;
  /**
   * Called once for each export, for all modules at the same moment. What a module reads of the memory in
   * this call is as it was at the beginning, and fits what the others read.
   */
  records?(request: RecordsRequest): Partial<Record<RecordKind, Records>>;
  /** The stored files that the records name. */
  files?(state: OrganizationState): Iterable<StoredFile> | AsyncIterable<StoredFile>;
}

export interface RecordsRequest {
  state: OrganizationState;
  type: ExportType;
  /** The account that asked for the export. undefined: the server's operator, who may see everything. */
  reader: User | undefined;
  /** The head of the log at the beginning. Nothing that came after it is in the export. */
  upTo: number;
  signal?: AbortSignal;
  /** To be called between pages, with how much is done in percent. What it throws ends the export. */
  onProgress?(percent: number): void | Promise<void>;
}

export interface StoredFile {
  /** In the file storage. */
  key: string;
  /** Below `files/` in the archive. */
  name: string;
}
