/**
 * The uploads that messages of a group link. Which of them a text may link was looked up when it was
 * rendered. Here that is checked again for each writer alone, while nobody else can change the links.
 */
import type { MessageId, OrganizationId, UserId } from "../../../api/ids.ts";
import { type LinkingMessage, linkingMessage } from "../../content/uploads/grouped-links.ts";
import type { UploadsOfText } from "../../content/uploads/links.ts";
import type { FileReader } from "../../content/uploads/upload.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { canReadFound, type FoundMessage } from "../access.ts";
import { type AskedClaim, type FoundClaim, findClaims } from "./claim-store.ts";

/** A message that claims uploads. */
export interface Claiming {
  senderId: UserId;
  uploads: UploadsOfText | null;
}

/** Each once, however often the text names it. */
export function claimedIds({ uploads }: Claiming): number[] {
  return [...new Set([...(uploads?.values() ?? [])].map(({ id }) => id))];
}

/** undefined: none of them claims anything. */
export function claimsQuery(organizationId: OrganizationId, messages: readonly Claiming[]): Sql | undefined {
  const asked = messages.flatMap(({ senderId, uploads }, number) => {
    const claims = new Map<number, AskedClaim>();
    for (const { id, ownerId, messageIds } of uploads?.values() ?? []) {
      const messageId = ownerId === senderId ? null : (messageIds[0] as MessageId);
      claims.set(id, { number, userId: senderId, uploadId: id, messageId });
    }
    return [...claims.values()];
  });
  return asked.length === 0 ? undefined : findClaims(organizationId, asked);
}

/** What the message links. undefined: an upload is gone, or the writer may not read it any more. */
export function linkClaimed(
  writer: FileReader,
  message: Claiming,
  found: readonly FoundClaim[],
): LinkingMessage | undefined {
  const readable = found.filter((claim) => mayLink(writer, claim));
  if (readable.length < claimedIds(message).length) return undefined;
  return linkingMessage(readable);
}

function mayLink(
  writer: FileReader,
  { ownerId, messageId, recipientId, userIds, wasReceived }: FoundClaim,
): boolean {
  if (ownerId === writer.user?.id) return true;
  if (messageId === null) return false;
  return canReadFound(writer, { id: messageId, recipientId, userIds, wasReceived } as FoundMessage);
}
