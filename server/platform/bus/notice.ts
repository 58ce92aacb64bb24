/**
 * Notices as text, in one format for every bus. They contain numbers and ids only, and nothing that people
 * wrote. What can't be parsed is ignored, since a node of a newer version may send more.
 */
import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { BusListener, QueueNotice } from "./bus.ts";

/** The most heads in one text. PostgreSQL's limit for one NOTIFY is 8,000 bytes. */
const MAX_HEADS = 200;
const MAX_QUEUES = 128;
const HEADS = /^([^:]+):(.*)$/;
const HEAD = /^(\d+)=(\d+)$/;
const QUEUES = /^(\d+):([^:]+):(.*)$/;
const QUEUE = /^([0-9a-f-]{36})=(\d*)$/;

export function writeHeads(heads: readonly (readonly [OrganizationId, Position])[], node: string): string[] {
  return inParts(heads, MAX_HEADS).map(
    (part) => `${node}:${part.map(([organizationId, head]) => `${organizationId}=${head}`).join()}`,
  );
}

export function readHeads(text: string, node: string, listener: BusListener): void {
  const [, sender, list = ""] = HEADS.exec(text) ?? [];
  if (sender === node) return;
  for (const part of list.split(",")) {
    const [, organizationId, head] = HEAD.exec(part) ?? [];
    if (head !== undefined) listener.head(Number(organizationId) as OrganizationId, Number(head) as Position);
  }
}

export function writeQueues(
  organizationId: OrganizationId,
  notices: readonly QueueNotice[],
  node: string,
): string[] {
  return inParts(notices, MAX_QUEUES).map((part) => {
    const list = part.map(({ queueId, cursor }) => `${queueId}=${cursor ?? ""}`);
    return `${organizationId}:${node}:${list.join()}`;
  });
}

export function readQueues(text: string, node: string, listener: BusListener): void {
  const [, organizationId, sender, list = ""] = QUEUES.exec(text) ?? [];
  if (organizationId === undefined || sender === node) return;
  const notices = list.split(",").flatMap((each) => {
    const [, queueId, cursor] = QUEUE.exec(each) ?? [];
    return queueId === undefined
      ? []
      : [{ queueId, cursor: cursor === "" ? null : (Number(cursor) as Position) }];
  });
  listener.queues(Number(organizationId) as OrganizationId, notices);
}

function inParts<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, part) =>
    list.slice(part * size, (part + 1) * size),
  );
}
