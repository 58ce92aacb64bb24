/**
 * Lists of rows that belong to one person, of which an answer to `/register` needs a dozen. Each can be read
 * by a statement of its own. `PersonalStatement` reads any of them by one that is prepared once, so that an
 * answer waits for one round trip and the driver handles one row.
 */
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "./database.ts";
import { compiled, joinSql, literal, Sql, sql } from "./sql.ts";

interface Owner {
  organizationId: OrganizationId;
  /** null for a caller without an account, who has no rows of their own. */
  userId: UserId | null;
}

/** Stands for a value of the owner until a statement is made. */
type Field = (owner: Owner) => unknown;

const organizationId: Field = (owner) => owner.organizationId;
const userId: Field = (owner) => owner.userId;

type DateKeys<Row> = { [K in keyof Row]: Row[K] extends Date | null ? K : never }[keyof Row] & string;

/** Reads one of the lists, for the person it was made for. */
export type ReadPersonal = <Row extends object>(rows: PersonalRows<Row>) => Promise<Row[]>;

/** A list of any rows. */
export interface PersonalList {
  readonly select: Sql;
}

/** One list. Its columns are numbers, texts, booleans, arrays of these, and times. */
export class PersonalRows<Row extends object> implements PersonalList {
  readonly select: Sql;
  readonly #alone: (owner: Owner) => Sql;
  readonly #times: readonly DateKeys<Row>[];

  /** `times`: the columns that are a `Date`. The two values have the type bigint. */
  constructor(select: (organizationId: Field, userId: Field) => Sql, times: readonly DateKeys<Row>[] = []) {
    this.select = select(organizationId, userId);
    this.#alone = compiled<Owner>(this.select);
    this.#times = times;
  }

  /** By a statement of its own. */
  list(tx: Queryable, organizationId: OrganizationId, userId: UserId | null): Promise<Row[]> {
    return tx.query(this.#alone({ organizationId, userId }));
  }

  /** The rows from what PostgreSQL gives as JSON, which has texts for times. */
  parse(rows: readonly Row[] | null): Row[] {
    const parsed = [...(rows ?? [])];
    for (const row of parsed) {
      for (const key of this.#times) {
        const time = row[key] as string | null;
        if (time !== null) row[key] = new Date(time) as Row[typeof key];
      }
    }
    return parsed;
  }
}

/** Reads the lists of a person through a connection, each by a statement of its own. */
export function personalReader(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId | null,
): ReadPersonal {
  return (rows) => rows.list(tx, organizationId, userId);
}

/** Any of several lists in one statement. */
export class PersonalStatement {
  readonly lists: readonly PersonalList[];
  readonly #write: (input: Owner & { wanted: number }) => Sql;

  /** At most 31 lists. */
  constructor(lists: readonly PersonalList[]) {
    this.lists = lists;
    const wanted = (input: { wanted: number }) => input.wanted;
    // A subquery of a case that does not apply is not executed.
    const columns = lists.map(
      ({ select }, place) => sql`
        case when ${wanted}::int & ${literal(bitOf(place))} <> 0 then (select json_agg(r) from (${select}) r) end
        as l${literal(place)}`,
    );
    this.#write = compiled(withSharedValues(sql`select ${joinSql(columns, ",")}`));
  }

  /** Resolves with one row: the JSON of each wanted list. */
  async read(tx: Queryable, owner: Owner, wanted: number): Promise<Record<string, never[] | null>> {
    const [row] = await tx.query<Record<string, never[] | null>>(this.#write({ ...owner, wanted }));
    return row as Record<string, never[] | null>;
  }
}

/** The lists of one person that the parts of one answer ask for, read together. */
export class PersonalRead {
  readonly #statement: PersonalStatement;
  readonly #tx: Queryable;
  readonly #owner: Owner;
  #wanted = 0;
  #row: Promise<Record<string, never[] | null>> | undefined;
  #send: (() => void) | undefined;

  constructor(statement: PersonalStatement, tx: Queryable, owner: Owner) {
    this.#statement = statement;
    this.#tx = tx;
    this.#owner = owner;
  }

  /** To be asked before `send`. What is asked for later, or is no list of the statement, is read alone. */
  readonly read: ReadPersonal = async (rows) => {
    const place = this.#statement.lists.indexOf(rows);
    const { organizationId, userId } = this.#owner;
    if (place < 0 || (this.#row && !this.#send)) return rows.list(this.#tx, organizationId, userId);
    this.#wanted |= bitOf(place);
    this.#row ??= new Promise((resolve) => {
      this.#send = () => resolve(this.#statement.read(this.#tx, this.#owner, this.#wanted));
    });
    return rows.parse((await this.#row)[columnOf(place)] ?? null);
  };

  /** Sends the statement, if anything was asked for. */
  send(): void {
    this.#send?.();
    this.#send = undefined;
  }
}

function bitOf(place: number): number {
  return 1 << place;
}

function columnOf(place: number): string {
  return `l${place}`;
}

/** Each value once, however often the text has it. */
function withSharedValues({ text, values }: Sql): Sql {
  const distinct = [...new Set(values)];
  const shared = text.replace(
    /\$(\d+)/g,
    (_, number: string) => `$${distinct.indexOf(values[Number(number) - 1]) + 1}`,
  );
  return new Sql(shared, distinct, undefined);
}
