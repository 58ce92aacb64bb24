import { type Role, roles } from "../../../api/roles.ts";
import { isEmail } from "../../people/names.ts";
import { dateOf, flagOf, isRow, type Row, textOf } from "../archive/row.ts";
import type { SourcePerson } from "../core/records.ts";
import type { Report } from "../core/report.ts";

const EPOCH = new Date(0);
const GENERIC_BOT = 1;
const ID = /^[A-Z0-9]{2,40}$/;
/** Slack's own account. */
export const SLACKBOT = "USLACKBOT";

/** An id of Slack; undefined for anything else. */
export function slackId(row: Row, field: string): string | undefined {
  const value = row[field];
  return typeof value === "string" && ID.test(value) ? value : undefined;
}

export class SlackPeople {
  readonly list: SourcePerson[] = [];
  readonly #known = new Set<string>([SLACKBOT]);
  /** Messages of bots name them by another id. */
  readonly #byBotId = new Map<string, string>();

  add(row: Row, report: Report): void {
    report.found("people");
    const id = slackId(row, "id");
    if (id === undefined) {
      report.lose("people without an id were left out");
      return;
    }
    const profile = isRow(row.profile) ? row.profile : {};
    const botId = slackId(profile, "bot_id");
    if (botId !== undefined && !this.#byBotId.has(botId)) this.#byBotId.set(botId, id);
    if (id === SLACKBOT) {
      report.taken("people");
      return;
    }
    this.#known.add(id);
    const address = textOf(profile, "email")?.trim();
    const isBot = flagOf(row, "is_bot");
    this.list.push({
      id,
      email: address && isEmail(address) && !isBot ? address : undefined,
      fullName: textOf(profile, "real_name") || textOf(row, "real_name") || textOf(row, "name") || "",
      role: roleOf(row),
      isActive: !flagOf(row, "deleted"),
      botType: isBot ? GENERIC_BOT : null,
      ownerId: undefined,
      timezone: textOf(row, "tz") ?? "",
      joinedAt: dateOf(row, "created") ?? EPOCH,
    });
  }

  /** Who sent a message. undefined: nobody who can be told. */
  senderOf(row: Row): string | undefined {
    const comment = isRow(row.comment) ? row.comment : {};
    const file = isRow(row.file) ? row.file : {};
    const room = isRow(row.room) ? row.room : {};
    const user = slackId(room, "created_by") ?? slackId(row, "user") ?? slackId(comment, "user");
    if (user !== undefined) return user;
    const bot = slackId(row, "bot_id");
    return bot === undefined ? slackId(file, "user") : (this.#byBotId.get(bot) ?? bot);
  }

  /** Somebody of another workspace, or a bot that is gone: no list has them. They can't sign in. */
  addStranger(id: string, row: Row | undefined, report: Report): void {
    if (this.#known.has(id)) return;
    this.#known.add(id);
    const profile = row && isRow(row.user_profile) ? row.user_profile : {};
    const name = textOf(profile, "real_name") || (row && textOf(row, "username")) || `Unknown user ${id}`;
    report.found("people");
    report.lose("people who are in no list came deactivated", name);
    this.list.push({
      ...{ id, email: undefined, fullName: name, role: roles.member, isActive: false },
      botType: id.startsWith("B") ? GENERIC_BOT : null,
      ...{ ownerId: undefined, timezone: "", joinedAt: EPOCH },
    });
  }
}

function roleOf(row: Row): Role {
  // A guest first: a wrong flag may not make somebody more than a guest.
  if (flagOf(row, "is_restricted") || flagOf(row, "is_ultra_restricted")) return roles.guest;
  if (flagOf(row, "is_owner") || flagOf(row, "is_primary_owner")) return roles.owner;
  return flagOf(row, "is_admin") ? roles.administrator : roles.member;
}
