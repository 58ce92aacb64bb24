/**
 * The audit log: who changed what by a role or a permission beyond their own things. An action records its
 * change in its own transaction, so there is never one without the other. docs/audit-log.md says what counts.
 */
import { type AuditAction, auditActions } from "../../../api/administration/audit-log.ts";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { networkOf } from "../../platform/http/rate-limit.ts";
import { type AuditChanges, boundChanges } from "./changes.ts";
import { insertAuditRow } from "./store.ts";

/**
 * What an entry needs of the transaction of a change. Its `viewer` is the account that asked for the change,
 * and the entry's actor. A change without one was made by the server or its command line.
 */
export interface AuditedChange extends Queryable {
  readonly state: { readonly organizationId: OrganizationId };
  readonly viewer?: {
    readonly user: { readonly id: UserId };
    readonly client: string;
    readonly address?: string | undefined;
    readonly isOperator?: boolean | undefined;
    /** Called in the change with each entry that no mail was sent about. */
    readonly noteEntry?: ((tx: AuditedChange, entry: AuditEntry) => Promise<void>) | undefined;
  };
}

export interface AuditEntry {
  action: AuditAction;
  /** The thing that was changed, of the kind that the action names; absent if there is no single one. */
  targetId?: number | undefined;
  /** Never with a password, a key or the text of a message. Long texts and lists are cut here. */
  changes?: AuditChanges;
  /** The IP address that it came from, for an entry without an actor. */
  address?: string;
  /** The account that was changed gets a mail of its own about it. */
  isMailed?: boolean;
}

/**
 * Writes an entry in the transaction of the change. It is one insert without a lock. Call it from the action,
 * before the transaction's events are written: the log's lock must not be held while this is sent.
 */
export async function recordAudit(tx: AuditedChange, entry: AuditEntry): Promise<void> {
  const { action, targetId, changes = {}, isMailed = false } = entry;
  const actor = tx.viewer?.isOperator ? undefined : tx.viewer;
  const address = actor ? actor.address : entry.address;
  await insertAuditRow(tx, tx.state.organizationId, {
    actorId: actor?.user.id ?? null,
    action,
    targetType: auditActions[action].target,
    targetId: targetId ?? null,
    changes: boundChanges(changes),
    client: actor?.client ?? null,
    network: address === undefined ? null : networkOf(address),
  });
  if (!isMailed) await tx.viewer?.noteEntry?.(tx, entry);
}
