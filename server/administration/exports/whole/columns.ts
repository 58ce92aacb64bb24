/**
 * How the columns of a whole export are declared. The one who writes an export reads the names. The one who
 * imports it checks each value by its kind, since nothing in an archive is trusted.
 */

/** What a value is, beyond the form that the database gives it. */
export type ColumnKind =
  | { kind: "id" }
  /** `table`: whose row it names. `mayBeGone`: the row may have been deleted since, or be hidden. */
  | { kind: "row" | "rows"; table: string; mayBeGone: boolean }
  /** A channel or a conversation. */
  | { kind: "recipient" }
  /** A position of the log. Messages have theirs as ids. */
  | { kind: "position" }
  | { kind: "int"; min: number; max: number }
  | { kind: "ints" | "bool" | "time" | "date" | "ranges" }
  /** `text`: as it is. `markdown` and `html` may have addresses of files. */
  | { kind: "text" | "markdown" | "html" }
  /** The path or key of an upload, or the name of a picture, without the organization's folder. */
  | { kind: "path" | "key" | "picture" | "emoji_file" }
  /** An object of JSON. `of`: what it holds. */
  | { kind: "json"; of: JsonKind };

export type JsonKind =
  | "organization_settings"
  | "default_user_settings"
  | "user_settings"
  | "group_permissions"
  | "channel_permissions"
  | "image"
  | "changes";

export type Column = ColumnKind & { name: string; isNullable: boolean };

export interface WholeTable {
  name: string;
  columns: readonly Column[];
  /** Columns that are not carried, each with the reason. The import gives them values of its own. */
  leftOut: Readonly<Record<string, string>>;
  /** SQL, in terms of `t`: the order of the rows. */
  order: string;
  /** SQL, in terms of `t`: which rows are carried. */
  only: string | undefined;
}

const SMALL = 32_767;
const INT = 2_147_483_647;

const plainKinds: Readonly<Record<string, ColumnKind>> = {
  id: { kind: "id" },
  recipient: { kind: "recipient" },
  position: { kind: "position" },
  smallint: { kind: "int", min: -SMALL - 1, max: SMALL },
  int: { kind: "int", min: -INT - 1, max: INT },
  count: { kind: "int", min: 0, max: Number.MAX_SAFE_INTEGER },
  ints: { kind: "ints" },
  bool: { kind: "bool" },
  time: { kind: "time" },
  ranges: { kind: "ranges" },
  text: { kind: "text" },
  markdown: { kind: "markdown" },
  html: { kind: "html" },
  path: { kind: "path" },
  key: { kind: "key" },
  picture: { kind: "picture" },
  emoji_file: { kind: "emoji_file" },
};

/**
 * A table by the list of its columns, such as `id:id name:text folder_id:>channel_folders?`. A `?` allows
 * null. `>table` names a row that is in the archive, `~table` one that may be gone, and `[]` many of them.
 * `json(what)` is an object.
 */
export function wholeTable(
  name: string,
  columns: string,
  {
    order = "t.id",
    only,
    leftOut = {},
  }: { order?: string; only?: string; leftOut?: Record<string, string> } = {},
): WholeTable {
  return { name, columns: columns.trim().split(/\s+/).map(columnOf), leftOut, order, only };
}

function columnOf(text: string): Column {
  const found = /^(\w+):(.+?)(\?)?$/.exec(text);
  if (!found) throw new Error(`${text} is no column`);
  const [, name = "", kind = "", nullable] = found;
  return { ...kindOf(kind), name, isNullable: nullable !== undefined };
}

function kindOf(text: string): ColumnKind {
  const row = /^([>~])(\w+)(\[\])?$/.exec(text);
  if (row) {
    const [, sign, table = "", many] = row;
    return { kind: many === undefined ? "row" : "rows", table, mayBeGone: sign === "~" };
  }
  const json = /^json\((\w+)\)$/.exec(text);
  if (json) return { kind: "json", of: json[1] as JsonKind };
  const plain = plainKinds[text];
  if (!plain) throw new Error(`${text} is no kind of column`);
  return plain;
}

/** The type of the column in the database, as its catalogue names it. */
export function sqlTypeOf(column: Column): string {
  switch (column.kind) {
    case "id":
    case "row":
    case "recipient":
    case "position":
      return "bigint";
    case "rows":
    case "ints":
      return "bigint[]";
    case "int":
      return column.max === SMALL ? "smallint" : column.max === INT ? "integer" : "bigint";
    case "bool":
      return "boolean";
    case "time":
      return "timestamp with time zone";
    case "date":
      return "date";
    case "ranges":
      return "int8multirange";
    case "json":
      return "jsonb";
    default:
      return "text";
  }
}
