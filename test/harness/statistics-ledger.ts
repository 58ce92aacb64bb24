/**
 * A second book of what statistics count, which triggers in the database keep. A message is entered when it
 * is inserted, and gets its day and its place when the cursor passes it. So a message that the cursor passes
 * without counting it, or that is counted twice, shows.
 */
import type { OrganizationId } from "../../api/ids.ts";
import type { Queryable } from "../../server/platform/db/database.ts";
import { Sql, sql } from "../../server/platform/db/sql.ts";
import { keepEventPartitions } from "../../server/platform/log/partitions.ts";
import type { Harness } from "./harness.ts";

const DAY_MS = 24 * 3600 * 1000;

const book = `
  create table booked (organization_id bigint, id bigint, sender_id bigint, day date, recipient_id bigint,
    kind text, by_bot boolean, primary key (organization_id, id));
  create table booked_active (organization_id bigint, day date, user_id bigint,
    primary key (organization_id, day, user_id));
  create table booked_reactions (organization_id bigint, day date, user_id bigint);

  create function is_booked_person(organization bigint, account bigint) returns boolean language sql as $$
    select bot_type is null and not is_system from users where organization_id = organization and id = account $$;
  create function utc_day(moment timestamptz) returns date language sql immutable as $$
    select (moment at time zone 'utc')::date $$;

  create function book_message() returns trigger language plpgsql as $$ begin
    insert into booked (organization_id, id, sender_id) values (new.organization_id, new.id, new.sender_id);
    return new; end $$;
  create trigger book_message after insert on messages for each row execute function book_message();

  create function unbook_message() returns trigger language plpgsql as $$ begin
    delete from booked where organization_id = old.organization_id and id = old.id and kind is null;
    return old; end $$;
  create trigger unbook_message before delete on messages for each row execute function unbook_message();

  create function book_reaction() returns trigger language plpgsql as $$ begin
    insert into booked_reactions values (new.organization_id, utc_day(now()), new.user_id);
    return new; end $$;
  create trigger book_reaction after insert on reactions for each row execute function book_reaction();

  create function book_turn() returns trigger language plpgsql as $$ begin
    update booked b set day = utc_day(m.sent_at), recipient_id = m.recipient_id,
      kind = (select case when is_private then 'private' else 'public' end from channels c
        where c.organization_id = m.organization_id and c.id = m.recipient_id
        union all select 'direct' from conversations c
        where c.organization_id = m.organization_id and c.id = m.recipient_id),
      by_bot = not is_booked_person(m.organization_id, m.sender_id)
    from messages m
    where m.organization_id = new.organization_id and m.id > old.position and m.id <= new.position
      and b.organization_id = m.organization_id and b.id = m.id;
    insert into booked_active
      select * from (
        select organization_id, day, sender_id from booked
        where organization_id = new.organization_id and id > old.position and id <= new.position
        union select organization_id, day, user_id from booked_reactions
        where organization_id = new.organization_id
        union select organization_id, utc_day(last_active_at), user_id from presences
        where organization_id = new.organization_id and new.counted_at is distinct from old.counted_at
      ) as met
      where day between utc_day(now()) - 7 and utc_day(now())
      on conflict do nothing;
    delete from booked_reactions where organization_id = new.organization_id;
    delete from booked_active where organization_id = new.organization_id
      and not is_booked_person(organization_id, user_id);
    return new; end $$;
  create trigger book_turn after update on statistics_cursors for each row execute function book_turn();

  insert into booked (organization_id, id, sender_id) select organization_id, id, sender_id from messages;
`;

/** Columns with days and moments, of all tables in which the statistics look. */
const days = {
  statistics_days: "day",
  statistics_channel_days: "day",
  active_days: "day",
  booked: "day",
  booked_active: "day",
  booked_reactions: "day",
} as const;
const moments = [
  ["messages", "sent_at"],
  ["presences", "last_active_at"],
  ["presences", "last_connected_at"],
  ["users", "joined_at"],
  ["organizations", "created_at"],
  ["statistics_cursors", "counted_at"],
] as const;

export interface Figures {
  day: string;
  public: number;
  private: number;
  direct: number;
  bots: number;
}

/** Begins the book. `pastDays`: on how many days `passDay` can be called. */
export async function keepBook({ services }: Harness, pastDays: number): Promise<StatisticsLedger> {
  const { database } = services;
  await database.transaction((tx) => tx.client.query(book));
  for (let ago = 0; ago <= pastDays + 3; ago += 3)
    await keepEventPartitions(database, new Date(Date.now() - ago * DAY_MS));
  return new StatisticsLedger(database);
}

export class StatisticsLedger {
  readonly #database: Queryable & Pick<Harness["services"]["database"], "transaction">;

  constructor(database: Harness["services"]["database"]) {
    this.#database = database;
  }

  /** Makes everything a day older. The triggers rest meanwhile. */
  async passDay(): Promise<void> {
    const run = (text: string) => new Sql(text, [], undefined);
    await this.#database.transaction(async (tx) => {
      await tx.query(run("alter table statistics_cursors disable trigger book_turn"));
      for (const [table, column] of Object.entries(days)) {
        // Keys are compared row by row, so no row may come to the day of another.
        await tx.query(run(`update ${table} set ${column} = ${column} - 100001`));
        await tx.query(run(`update ${table} set ${column} = ${column} + 100000`));
      }
      for (const [table, column] of moments)
        await tx.query(run(`update ${table} set ${column} = ${column} - interval '24 hours'`));
      await tx.query(run("update statistics_cursors set active_since = active_since - 1"));
      await tx.query(run("update events set written_on = written_on - 1"));
      await tx.query(sql`update presences set update_id = update_id - ${DAY_MS}::bigint`);
      await tx.query(run("alter table statistics_cursors enable trigger book_turn"));
    });
  }

  async today(): Promise<string> {
    const [row] = await this.#database.query<{ day: string }>(sql`select utc_day(now())::text as day`);
    return (row as { day: string }).day;
  }

  /** Messages that the cursor has passed. There must be none that it has passed without the book's notice. */
  async messages(organizationId: OrganizationId): Promise<Figures[]> {
    const missed = await this.#database.query(sql`
      select b.id from booked b join statistics_cursors c on c.organization_id = b.organization_id
      where b.organization_id = ${organizationId} and b.id <= c.position and b.kind is null`);
    if (missed.length > 0) throw new Error(`the cursor passed ${JSON.stringify(missed)}`);
    return this.#database.query(sql`
      select day::text as day, count(*) filter (where kind = 'public')::int as public,
        count(*) filter (where kind = 'private')::int as private,
        count(*) filter (where kind = 'direct')::int as direct, count(*) filter (where by_bot)::int as bots
      from booked where organization_id = ${organizationId} and kind is not null group by 1 order by 1`);
  }

  async channels(
    organizationId: OrganizationId,
  ): Promise<{ day: string; channelId: number; messages: number }[]> {
    return this.#database.query(sql`
      select day::text as day, recipient_id as "channelId", count(*)::int as messages from booked
      where organization_id = ${organizationId} and kind in ('public', 'private')
      group by 1, 2 order by 1, 2`);
  }

  /** Different people of the days that end with this one. */
  async activePeople(organizationId: OrganizationId, day: string, days: number): Promise<number> {
    const [row] = await this.#database.query<{ count: number }>(sql`
      select count(distinct user_id)::int as count from booked_active
      where organization_id = ${organizationId} and day <= ${day}::date and day > ${day}::date - ${days}::int`);
    return (row as { count: number }).count;
  }
}
