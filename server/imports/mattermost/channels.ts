/**
 * Channels of one team or several, in one organization. Channels of a team are for its members alone: what is
 * public there is public here only if everybody is in the team or could join it.
 */

import { foldName } from "../../../api/fold-name.ts";
import { MAX_CHANNEL_NAME_LENGTH } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { flagOf, type Row, textOf } from "../archive/row.ts";
import { cutTo, plainLine } from "../core/names.ts";
import type { SourceChannel, SourceFolder, SourceGroup } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { rowsOf } from "../texts/attachments.ts";
import { membershipsIn } from "./memberships.ts";
import { type MattermostPeople, rolesIn } from "./people.ts";
import { channelIdOf } from "./records.ts";
import { timeIn } from "./times.ts";

type Members = Map<string, Set<string>>;

const NOBODY: ReadonlySet<string> = new Set();
const CLOSED =
  "public channels of a team that is not for everybody became private, and its members can join them";
const EPOCH = new Date(0);
/** What teams and channels are called in addresses and by other records. */
const NAME = /^[A-Za-z0-9._-]{1,100}$/;
/** The channel that all members of a team are in. */
const MAIN_CHANNEL = "town-square";
const BETWEEN = " / ";
/** How much of a team's name stays before the name of a long channel. */
const MIN_TEAM_NAME = 10;

interface Team {
  name: string;
  displayName: string;
  /** Whether everybody with an account may join it. */
  isOpen: boolean;
}

interface Channel {
  id: string;
  team: string;
  name: string;
  row: Row;
}

export interface Structure {
  channels: SourceChannel[];
  folders: SourceFolder[];
  /** The members of teams whose public channels not everybody may read. */
  groups: SourceGroup[];
}

export class MattermostChannels {
  readonly #teams = new Map<string, Team>();
  readonly #channels = new Map<string, Channel>();
  readonly #firstPosts = new Map<string, number>();

  addTeam(row: Row, report: Report): void {
    const name = textOf(row, "name") ?? "";
    if (!NAME.test(name) || this.#teams.has(name)) {
      report.lose("teams without a name, or whose name comes twice, were left out", name);
      return;
    }
    const displayName = plainLine(textOf(row, "display_name") ?? "") || name;
    this.#teams.set(name, { name, displayName, isOpen: flagOf(row, "allow_open_invite") });
  }

  addChannel(row: Row, report: Report): void {
    report.found("channels");
    const [team, name] = [textOf(row, "team") ?? "", textOf(row, "name") ?? ""];
    const id = channelIdOf(team, name);
    if (!NAME.test(team) || !NAME.test(name) || this.#channels.has(id)) {
      report.lose("channels without a name or a team, or that come twice, were left out", name);
      return;
    }
    this.#channels.set(id, { id, team, name, row });
  }

  has(id: string): boolean {
    return this.#channels.has(id);
  }

  /** The channel that a text of this team names; a conversation has no team. */
  find(name: string, team: string | undefined): string | undefined {
    if (team !== undefined) {
      const id = channelIdOf(team, name);
      return this.#channels.has(id) ? id : undefined;
    }
    const found = [...this.#teams.keys()].map((each) => channelIdOf(each, name)).filter((id) => this.has(id));
    return found.length === 1 ? found[0] : undefined;
  }

  /** Exports don't say when a channel was made. */
  notePost(channelId: string, sentAt: number): void {
    const first = this.#firstPosts.get(channelId);
    if (first === undefined || sentAt < first) this.#firstPosts.set(channelId, sentAt);
  }

  /** Once all records were read. People in no team become guests, where there is one team only. */
  structure(people: MattermostPeople, report: Report): Structure {
    const teams = [...this.#teams.values()];
    const members = membersOf(people);
    const [only] = teams;
    if (teams.length === 1 && only?.isOpen === false)
      people.makeGuests(members.get(only.name) ?? NOBODY, report);
    const open = this.#teamsForAll(people, members);
    const shared = this.#sharedNames();
    const administrators = administratorsOf(people);
    const isFoldered = teams.length > 1;
    const closed = new Set<string>();
    const channels = [...this.#channels.values()].map((channel) => {
      const { id, team, row } = channel;
      const isClosed = row.type === "O" && !open.has(team);
      if (isClosed) {
        closed.add(team);
        report.lose(CLOSED, id);
      }
      const isPrivate = row.type !== "O" || isClosed;
      const isArchived = timeIn(row, "deleted_at") !== undefined;
      const memberIds = administrators.get(id);
      return {
        ...{ id, name: this.#nameOf(channel, shared, report), description: descriptionOf(row) },
        // Mattermost shows people who join all that was said before.
        ...{ isPrivate, isArchived, isWebPublic: false, isHistoryShared: true },
        isDefault: !isFoldered && channel.name === MAIN_CHANNEL && !isPrivate && !isArchived,
        topicsPolicy: "inherit" as const,
        messageRetentionDays: null,
        folderId: isFoldered ? team : undefined,
        creatorId: undefined,
        createdAt: new Date(this.#firstPosts.get(id) ?? 0),
        permissions: {
          ...(memberIds && { can_administer_channel_group: { memberIds, subgroupIds: [] } }),
          ...(isClosed && { can_subscribe_group: { memberIds: [], subgroupIds: [team] } }),
        },
      };
    });
    const groups = teams.filter(({ name }) => closed.has(name));
    report.found("groups", groups.length);
    if (isFoldered) report.found("folders", teams.length);
    return {
      channels,
      folders: isFoldered ? teams.map(folderOf) : [],
      groups: groups.map((team) => groupOf(team, [...(members.get(team.name) ?? NOBODY)])),
    };
  }

  /** Teams that everybody may join or is in, but guests, and administrators, who may join any. */
  #teamsForAll({ list, rows }: MattermostPeople, members: Members): Set<string> {
    const readers = list.filter(({ id, role }) => role === roles.member && rows.has(id)).map(({ id }) => id);
    const isForAll = ({ name, isOpen }: Team) => {
      const inTeam = members.get(name) ?? NOBODY;
      return isOpen || (inTeam.size >= readers.length && readers.every((id) => inTeam.has(id)));
    };
    return new Set([...this.#teams.values()].filter(isForAll).map(({ name }) => name));
  }

  /** Names that channels of several teams have, ignoring case. */
  #sharedNames(): Set<string> {
    const teamOf = new Map<string, string>();
    const shared = new Set<string>();
    for (const channel of this.#channels.values()) {
      const name = foldName(ownName(channel));
      const team = teamOf.get(name);
      if (team !== undefined && team !== channel.team) shared.add(name);
      teamOf.set(name, channel.team);
    }
    return shared;
  }

  #nameOf(channel: Channel, shared: ReadonlySet<string>, report: Report): string {
    const name = ownName(channel);
    if (!shared.has(foldName(name))) return name;
    report.lose("channels whose name several teams have begin with their team's", channel.id);
    const team = this.#teams.get(channel.team)?.displayName ?? channel.team;
    const room = MAX_CHANNEL_NAME_LENGTH - BETWEEN.length - [...name].length;
    return `${cutTo(team, Math.max(MIN_TEAM_NAME, room))}${BETWEEN}${name}`;
  }
}

function ownName({ name, row }: Channel): string {
  return plainLine(textOf(row, "display_name") ?? "") || name;
}

function descriptionOf(row: Row): string {
  const texts = [textOf(row, "header"), textOf(row, "purpose")].map((text) => text?.trim() ?? "");
  return [...new Set(texts.filter((text) => text !== ""))].join(" ");
}

/** The people of each team who are no guests: guests see only channels that they are in. */
function membersOf({ rows, list }: MattermostPeople): Members {
  const members = new Map<string, Set<string>>();
  const guests = new Set(list.flatMap(({ id, role }) => (role === roles.guest ? [id] : [])));
  for (const [id, row] of rows) {
    if (guests.has(id)) continue;
    for (const team of rowsOf(row.teams)) {
      const name = textOf(team, "name") ?? "";
      const known = members.get(name);
      if (known) known.add(id);
      else members.set(name, new Set([id]));
    }
  }
  return members;
}

/** The people who administer a channel, by its id. */
function administratorsOf({ rows }: MattermostPeople): Map<string, string[]> {
  const administrators = new Map<string, string[]>();
  for (const [id, row] of rows) {
    for (const { channelId, row: membership } of membershipsIn(row)) {
      if (!rolesIn(membership).includes("channel_admin")) continue;
      const known = administrators.get(channelId);
      if (known) known.push(id);
      else administrators.set(channelId, [id]);
    }
  }
  return administrators;
}

function folderOf({ name, displayName }: Team, order: number): SourceFolder {
  return { id: name, name: displayName, description: "", creatorId: undefined, order, isArchived: false };
}

function groupOf({ name, displayName }: Team, memberIds: string[]): SourceGroup {
  return {
    ...{ id: name, name: displayName, description: `The members of the team ${displayName}` },
    ...{ creatorId: undefined, createdAt: EPOCH, isActive: true, memberIds, subgroupIds: [] },
  };
}
