import { dateOf, flagOf, idOf, type Row, textOf } from "../archive/row.ts";
import type { SourceGroup, SourcePermission } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import type { ZulipTables } from "./tables.ts";

const EPOCH = new Date(0);

export interface ZulipGroups {
  groups: SourceGroup[];
  /** The value of a permission that names a group: that group, or the members of one without a name. */
  permission(groupId: string): SourcePermission | undefined;
}

export function readGroups(tables: ZulipTables, report: Report): ZulipGroups {
  const members = new Map<string, string[]>();
  for (const row of tables.rows("zerver_usergroupmembership")) {
    add(members, idOf(row, "user_group"), idOf(row, "user_profile"));
  }
  const subgroups = new Map<string, string[]>();
  for (const row of tables.rows("zerver_groupgroupmembership")) {
    add(subgroups, idOf(row, "supergroup"), idOf(row, "subgroup"));
  }
  const named = namedGroups(tables);
  /** Groups of roles have other ids in each organization, and the same names. */
  const nameOrId = (id: string) => {
    const name = textOf(named.get(id) ?? {}, "name") ?? "";
    return name.startsWith("role:") ? name : id;
  };
  const groups: SourceGroup[] = [];
  for (const [id, row] of named) {
    if (nameOrId(id) !== id) continue;
    report.found("groups");
    groups.push({
      id,
      name: textOf(row, "name") ?? "",
      description: textOf(row, "description") ?? "",
      creatorId: idOf(row, "creator"),
      createdAt: dateOf(row, "date_created") ?? EPOCH,
      isActive: !flagOf(row, "deactivated"),
      memberIds: members.get(id) ?? [],
      subgroupIds: (subgroups.get(id) ?? []).filter((each) => named.has(each)).map(nameOrId),
    });
  }
  const ids = new Set(tables.rows("zerver_usergroup").map((row) => idOf(row, "id")));
  return {
    groups,
    permission(id) {
      if (named.has(id)) return { memberIds: [], subgroupIds: [nameOrId(id)] };
      if (!ids.has(id)) return undefined;
      const inner = subgroups.get(id) ?? [];
      if (!inner.every((each) => named.has(each))) return undefined;
      return { memberIds: members.get(id) ?? [], subgroupIds: inner.map(nameOrId) };
    },
  };
}

/** Before groups without a name, the names were in the other table. */
function namedGroups(tables: ZulipTables): Map<string, Row> {
  const rows = tables.has("zerver_namedusergroup")
    ? tables.rows("zerver_namedusergroup")
    : tables.rows("zerver_usergroup").filter((row) => textOf(row, "name") !== undefined);
  return new Map(
    rows.flatMap((row) => {
      const id = idOf(row, "id") ?? idOf(row, "usergroup_ptr");
      return id === undefined ? [] : [[id, row] as const];
    }),
  );
}

function add(lists: Map<string, string[]>, key: string | undefined, value: string | undefined): void {
  if (key === undefined || value === undefined) return;
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
