import type { AuditChange, AuditValue } from "../../server/organization/audit-log/changes.ts";
import { pruneAuditLog } from "../../server/organization/audit-log/prune.ts";
import { type AuditPage, readAuditLog } from "../../server/organization/audit-log/read.ts";
import { users } from "../../server/people/user.ts";
import { runContentChange } from "../../server/platform/log/change.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonLine, jsonOption } from "../options/json.ts";
import { findOrganization, hostOption } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

export const auditLog = command({
  usage: ["audit-log [--limit N]", "audit-log --delete-before DATE"],
  details: `
Prints who changed what in the organization, the newest change first: when, who, from which network and
with which program, what was done to which thing, and each field before and after.`,
  options: {
    limit: {
      value: "N",
      description: `How many entries: at most ${MAX_LIMIT}, and ${DEFAULT_LIMIT} by default.`,
    },
    "delete-before": {
      value: "DATE",
      description: "Delete the entries from before this day (2025-01-31), and record that. Prints none.",
    },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    const limit = parseLimit(values.limit);
    const before = parseDay(values["delete-before"]);
    const lines = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      if (before) {
        const count = await runContentChange(state, (tx) => pruneAuditLog(tx, before));
        const sentence = `Deleted ${count} ${count === 1 ? "entry" : "entries"}.`;
        return [values.json === true ? jsonLine({ deleted: count }) : sentence];
      }
      const { rows } = await readAuditLog(state, {}, limit);
      return rows.map((row) => (values.json === true ? jsonLine(auditData(row)) : auditLine(state, row)));
    });
    for (const line of lines) process.stdout.write(`${line}\n`);
    return exitCodes.ok;
  },
});

function parseLimit(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_LIMIT : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new UsageError(`--limit: give a number from 1 to ${MAX_LIMIT}.`);
}

function parseDay(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime())) return day;
  throw new UsageError("--delete-before: give a day such as 2025-01-31.");
}

/** One entry on one line. Names and texts were written by other people. */
export function auditLine(state: OrganizationState, row: AuditPage["rows"][number]): string {
  const { at, actorId, client, network, action, targetType, targetId, changes } = row;
  const actor = actorId === null ? "command line" : `${nameOf(state, actorId)} (${actorId})`;
  const origin = [network, client].filter((part) => part !== null).join(" ");
  const target = targetId === null ? targetType : `${targetType} ${targetId}`;
  const fields = Object.entries(changes).map(([name, change]) => `${name}: ${changeText(change)}`);
  const parts = [at.toISOString().replace(/\.\d+Z$/, "Z"), actor, origin, action, target, fields.join(", ")];
  return safeLine(parts.filter((part) => part !== "").join("  "));
}

function auditData(row: AuditPage["rows"][number]): object {
  const { id, at, actorId, client, network, action, targetType, targetId, changes } = row;
  return {
    id,
    at,
    actor_id: actorId,
    network,
    client,
    action,
    target_type: targetType,
    target_id: targetId,
    changes,
  };
}

function nameOf(state: OrganizationState, id: number): string {
  return state.get(users).find(id)?.fullName ?? "unknown";
}

function changeText({ old, new: next }: AuditChange): string {
  return old === undefined ? valueText(next) : `${valueText(old)} → ${valueText(next)}`;
}

function valueText(value: AuditValue | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
