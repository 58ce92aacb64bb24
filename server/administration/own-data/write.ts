/**
 * Writes a copy of a person's own data to a file. Memory holds some messages and one file of records at a
 * time, as in exports of an organization, whose archive it shares.
 */

import { pictureKey } from "../../content/avatars/pictures.ts";
import { receivedMessages, sentMessages } from "../../messages/export/own-messages.ts";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import { FaultError } from "../../platform/faults/fault-error.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { readHeads } from "../../platform/log/store.ts";
import { Archive, RecordFiles } from "../exports/archive.ts";
import { listOwnFiles, listOwnRows } from "./store.ts";
import { type OwnRows, ownRows } from "./tables.ts";

const FOLDER = "parley-own-data";
const ROWS_AT_ONCE = 500;
const FILES_AT_ONCE = 100;
/** Which share of the work the rows are, and the messages. Files are the rest. */
const ROWS_PERCENT = 20;
const MESSAGES_PERCENT = 60;

export interface OwnDataRequest {
  user: User;
  files: FileStorage;
  /** Whether it has messages that others wrote to the person. */
  withReceived: boolean;
  onProgress?: (percent: number) => Promise<void>;
  signal?: AbortSignal;
}

/**
 * Writes the file at a path where there is none yet. If that fails, it deletes what it wrote. Throws
 * `AccountGone` if the person is deactivated or erased before the end.
 */
export async function writeOwnData(
  state: OrganizationState,
  path: string,
  request: OwnDataRequest,
): Promise<Record<string, number>> {
  const archive = await Archive.create(path, FOLDER);
  try {
    const counts = await writeAll(state, archive, request);
    await archive.finish();
    return counts;
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

/** The person as they are now, since the copy takes a while. */
async function currentPerson(state: OrganizationState, { id }: Pick<User, "id">): Promise<User> {
  await state.catchUp();
  const user = state.get(users).find(id);
  if (!user?.isActive || user.isErased)
    throw new AccountGone("The account was deactivated or erased meanwhile. The file was deleted.");
  return user;
}

/** The message is a sentence for the command line. */
export class AccountGone extends FaultError {
  constructor(message: string, options?: ErrorOptions) {
    super("account-unfit", message, options);
  }
}

async function writeAll(
  state: OrganizationState,
  archive: Archive,
  { user, files, withReceived, signal, onProgress }: OwnDataRequest,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await archive.add("README.txt", Buffer.from(readme(state, await currentPerson(state, user), withReceived)));
  const write = async (kind: string, records: AsyncIterable<object>) => {
    const written = new RecordFiles(archive, kind);
    for await (const record of records) await written.add(record);
    await written.end();
    counts[kind] = written.count;
  };
  for (const own of ownRows) await write(own.kind, rowsOf(state, user, own, signal));
  await onProgress?.(ROWS_PERCENT);
  const current = () => currentPerson(state, user);
  if (withReceived) await write("messages_received", receivedMessages(state, current, signal));
  const { head } = await readHeads(state.database, state.organizationId);
  const sent = sentMessages(state, current, {
    signal,
    onPage: async (id) =>
      onProgress?.(ROWS_PERCENT + Math.floor(MESSAGES_PERCENT * Math.min(1, id / Math.max(1, head)))),
  });
  await write("messages_sent", sent);
  await onProgress?.(ROWS_PERCENT + MESSAGES_PERCENT);
  counts.files = await writeFiles(state, archive, { user, files, signal, onProgress });
  await currentPerson(state, user);
  await archive.add("complete.json", Buffer.from(`${JSON.stringify({ counts })}\n`));
  return counts;
}

async function* rowsOf(
  state: OrganizationState,
  user: User,
  own: OwnRows,
  signal: AbortSignal | undefined,
): AsyncGenerator<object> {
  const { database, organizationId } = state;
  const { id: userId } = user;
  for (let after: string | undefined; ; ) {
    signal?.throwIfAborted();
    await currentPerson(state, user);
    const page = { after, limit: ROWS_AT_ONCE };
    // Some tables have no index for it. The connection that all requests share must not wait for that.
    const rows = await database.transaction((tx) => listOwnRows(tx, own, { organizationId, userId }, page), {
      lane: "background",
    });
    for (const { row } of rows) yield row;
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)?.key;
  }
}

/** Uploads and the picture. One that the storage has no more is left out. Returns how many there are. */
async function writeFiles(
  state: OrganizationState,
  archive: Archive,
  {
    user,
    files,
    signal,
    onProgress,
  }: Pick<OwnDataRequest, "user" | "files"> & {
    signal: AbortSignal | undefined;
    onProgress: OwnDataRequest["onProgress"];
  },
): Promise<number> {
  const { database, organizationId } = state;
  let count = 0;
  const add = async (key: string, name: string) => {
    signal?.throwIfAborted();
    const opened = await files.open(key);
    if (!opened) return;
    await archive.addFile(`files/${name}`, opened.size, opened.stream);
    count++;
    await onProgress?.(ROWS_PERCENT + MESSAGES_PERCENT);
  };
  const { avatarFile } = await currentPerson(state, user);
  if (avatarFile !== null)
    await add(pictureKey(organizationId, "avatar", `${avatarFile}-medium`), "picture.png");
  for (let after = 0; ; ) {
    await currentPerson(state, user);
    const owner = { organizationId, userId: user.id };
    const uploads = await database.transaction(
      (tx) => listOwnFiles(tx, owner, { after, limit: FILES_AT_ONCE }),
      { lane: "background" },
    );
    for (const { id, storageKey, fileName } of uploads) await add(storageKey, `${id}-${safeName(fileName)}`);
    if (uploads.length < FILES_AT_ONCE) return count;
    after = uploads.at(-1)?.id ?? after;
  }
}

/** A name that is no path on any system. The record of the upload has the name as it was. */
function safeName(fileName: string): string {
  return fileName
    .replace(/[^\p{L}\p{N}._-]+/gu, "_")
    .replace(/^\.+/, "_")
    .slice(-100);
}

function readme(state: OrganizationState, { fullName, email }: User, withReceived: boolean): string {
  const received = withReceived
    ? "\nmessages_received          direct messages, and messages of channels while you were subscribed"
    : "";
  return `This is what ${state.get(organization).name} keeps of ${fullName} (${email}), as of ${new Date().toISOString()}.

Each folder has files with one JSON object on a line, in UTF-8. The names of the fields are those of the
server's database. IDs are those of the server.

account, profile, status   who you are here, and your settings
sessions, identities       where and how you are signed in, without anything that lets somebody in${received}
messages_sent              messages of yours. Where you may not read any more, your words alone
reactions, uploads         what you added. The files themselves are in the folder files, by the upload's ID
drafts, snippets and more  what you keep for yourself
audit_log                  what you did by a role or a permission
audit_log_about            what was done to your account

The copy is whole if it has a file complete.json. Passwords, keys and second steps are not in it.
`;
}
