/** The rows of an archive, one after another in the order of the tables. */
import type { WholeTable } from "../../administration/exports/whole/columns.ts";
import { wholeTables } from "../../administration/exports/whole/tables.ts";
import { readJsonLines } from "../archive/json-lines.ts";
import type { Row } from "../archive/row.ts";
import type { Archive, ArchiveFile } from "../archive/unpack.ts";
import { recordFilesOf } from "./head.ts";

export interface TableRow {
  table: WholeTable;
  row: Row;
  /** For messages about it. */
  file: string;
  line: number;
}

export async function* rowsOf(archive: Archive): AsyncGenerator<TableRow> {
  for (const table of wholeTables) {
    for (const file of recordFilesOf(archive, `tables/${table.name}`)) {
      const { path } = archive.files.get(file) as ArchiveFile;
      for await (const { row, number } of readJsonLines(path, file)) yield { table, row, file, line: number };
    }
  }
}
