import { type Role, roles } from "../../../api/roles.ts";
import { isEmail } from "../../people/names.ts";
import { dateOf, flagOf, idOf, numberOf, type Row, textOf } from "../archive/row.ts";
import type { SourcePerson } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import type { ZulipTables } from "./tables.ts";

const EPOCH = new Date(0);
const ROLES: ReadonlySet<unknown> = new Set(Object.values(roles));
/** What an export has in place of an address that it may not show. */
const HIDDEN_ADDRESS = /^exported-user-/;
const GENERIC_BOT = 1;
const INCOMING_BOT = 2;

export function readPeople(tables: ZulipTables, report: Report): SourcePerson[] {
  const people = [
    ...tables.rows("zerver_userprofile").map((row) => readPerson(row, flagOf(row, "is_active"), report)),
    ...tables.rows("zerver_userprofile_mirrordummy").map((row) => readPerson(row, false, report)),
  ];
  return people.filter((person) => person !== undefined);
}

function readPerson(row: Row, isActive: boolean, report: Report): SourcePerson | undefined {
  report.found("people");
  const id = idOf(row, "id");
  if (id === undefined) {
    report.lose("people without an id were left out");
    return undefined;
  }
  const address = textOf(row, "delivery_email")?.trim() || textOf(row, "email")?.trim();
  const email = address && isEmail(address) && !HIDDEN_ADDRESS.test(address) ? address : undefined;
  return {
    id,
    email,
    fullName: textOf(row, "full_name") ?? "",
    role: roleOf(row),
    isActive,
    botType: flagOf(row, "is_bot") ? botTypeOf(row, id, report) : null,
    ownerId: idOf(row, "bot_owner"),
    timezone: textOf(row, "timezone") ?? "",
    joinedAt: dateOf(row, "date_joined") ?? EPOCH,
  };
}

function roleOf(row: Row): Role {
  if (ROLES.has(row.role)) return row.role as Role;
  // Before roles were numbers.
  if (flagOf(row, "is_realm_admin")) return roles.administrator;
  return flagOf(row, "is_guest") ? roles.guest : roles.member;
}

/** Programs that the server would call have addresses that are in no export. */
function botTypeOf(row: Row, id: string, report: Report): number {
  const type = numberOf(row, "bot_type");
  if (type === GENERIC_BOT || type === INCOMING_BOT) return type;
  report.lose(
    "outgoing webhooks and built-in bots became plain bots: they answer nobody",
    textOf(row, "full_name") ?? id,
  );
  return GENERIC_BOT;
}
