import { type Role, roles } from "../../../api/roles.ts";
import { isEmail } from "../../people/names.ts";
import { isRow, type Row, textOf } from "../archive/row.ts";
import type { SourcePerson } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { rowsOf } from "../texts/attachments.ts";
import { timeIn } from "./times.ts";
import { usernameIn } from "./usernames.ts";

/** Exports don't say when somebody came. */
const EPOCH = new Date(0);
const GENERIC_BOT = 1;

export class MattermostPeople {
  readonly list: SourcePerson[] = [];
  /** The teams of those who are no bots, as their rows have them. The rest of a row is not kept. */
  readonly rows = new Map<string, Row>();
  readonly #known = new Set<string>();

  has(username: string): boolean {
    return this.#known.has(username);
  }

  addUser(row: Row, report: Report): void {
    report.found("people");
    const id = usernameIn(row, "username");
    if (id === undefined) {
      report.lose("people without a name to sign in with were left out", textOf(row, "email"));
      return;
    }
    if (!this.#known.has(id)) this.rows.set(id, { teams: row.teams });
    this.#known.add(id);
    const address = textOf(row, "email")?.trim();
    const names = [textOf(row, "first_name"), textOf(row, "last_name")].map((name) => name?.trim());
    this.list.push({
      id,
      email: address && isEmail(address) ? address : undefined,
      fullName: names.filter(Boolean).join(" ") || textOf(row, "nickname")?.trim() || id,
      role: roleOf(row),
      isActive: timeIn(row, "delete_at") === undefined,
      botType: null,
      ...{ ownerId: undefined, timezone: "", joinedAt: EPOCH },
    });
    this.#countWhatStays(id, row, report);
  }

  addBot(row: Row, report: Report): void {
    report.found("people");
    const id = usernameIn(row, "username");
    if (id === undefined) {
      report.lose("bots without a name were left out", textOf(row, "display_name"));
      return;
    }
    this.#known.add(id);
    this.list.push({
      ...{ id, email: undefined, fullName: textOf(row, "display_name")?.trim() || id, role: roles.member },
      isActive: timeIn(row, "delete_at") === undefined,
      botType: GENERIC_BOT,
      // A plugin may own one. It is nobody here.
      ownerId: usernameIn(row, "owner"),
      ...{ timezone: "", joinedAt: EPOCH },
    });
  }

  /** Somebody whom no record describes, such as an account that was deleted for good. They can't sign in. */
  addStranger(id: string, report: Report): void {
    if (this.#known.has(id)) return;
    this.#known.add(id);
    report.found("people");
    report.lose("people who are in no list came deactivated", id);
    this.list.push({
      ...{ id, email: undefined, fullName: `Unknown user ${id}`, role: roles.member, isActive: false },
      ...{ botType: null, ownerId: undefined, timezone: "", joinedAt: EPOCH },
    });
  }

  /** Those who are no members and may not join any channel by themselves. */
  makeGuests(members: ReadonlySet<string>, report: Report): void {
    for (const person of this.list) {
      if (person.role !== roles.member || !this.rows.has(person.id) || members.has(person.id)) continue;
      person.role = roles.guest;
      report.lose("people who are in no team came as guests", person.id);
    }
  }

  #countWhatStays(id: string, row: Row, report: Report): void {
    if (textOf(row, "profile_image")) report.lose("pictures of people do not come", id);
    if (textOf(row, "position")?.trim()) report.lose("positions of people do not come", id);
    if (isRow(row.custom_status)) report.lose("statuses of people do not come", id);
    if (textOf(row, "password")) report.lose("passwords do not come", id);
    if (isRow(row.notify_props)) report.lose("personal settings do not come", id);
    const isTeamAdmin = rowsOf(row.teams).some((team) => rolesIn(team).includes("team_admin"));
    if (isTeamAdmin) report.lose("administrators of teams came without that role", id);
  }
}

export function rolesIn(row: Row): string[] {
  return (textOf(row, "roles") ?? "").split(" ").filter((role) => role !== "");
}

function roleOf(row: Row): Role {
  const given = rolesIn(row);
  // A guest first: a wrong role may not make somebody more than a guest.
  if (given.some((role) => role.endsWith("_guest"))) return roles.guest;
  return given.includes("system_admin") ? roles.administrator : roles.member;
}
