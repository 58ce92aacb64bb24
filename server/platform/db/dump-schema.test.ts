import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { dumpSchema } from "./dump-schema.ts";

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

test("the dump shows every kind of object that a migration creates", async () => {
  await client.query(`
    create extension pg_trgm;
    create type mood as enum ('sad', 'happy');
    create domain topic as text not null check (length(value) <= 60);
    create type pair as (a int, b text);
    create sequence ticket as int start 10;
    create function twice(n int) returns int language sql immutable as 'select n * 2';
    create table person (
      id bigint generated always as identity primary key,
      organization_id bigint not null,
      name text collate "C" not null default 'nobody',
      mood mood default 'happy',
      spread int8multirange not null default '{}',
      upper_name text generated always as (upper(name)) stored,
      constraint named check (name <> ''),
      unique (organization_id, name)
    ) with (fillfactor = 80);
    create index person_name on person using gin (name gin_trgm_ops) where mood = 'sad';
    create table event (
      organization_id bigint not null, id bigint not null, person_id bigint references person on delete cascade,
      primary key (organization_id, id)
    ) partition by hash (organization_id);
    create table event_0 partition of event for values with (modulus 2, remainder 0);
    create unlogged table scratch (id int);
    create view happy as select name from person where mood = 'happy';
    create function note() returns trigger language plpgsql as 'begin return new; end';
    create trigger noted before insert on person for each row execute function note();
    create statistics person_stats on organization_id, name from person;
    comment on column person.name is 'As shown.';
  `);
  const text = await dumpSchema(client);
  expect(text).toMatchInlineSnapshot(`
    "create extension pg_trgm;

    create type mood as enum ('sad', 'happy');

    create type pair as (a integer, b text);

    create domain topic as text not null CHECK ((length(VALUE) <= 60));

    create sequence ticket as integer start 10 increment 1 minvalue 1 maxvalue 2147483647 cache 1;

    CREATE OR REPLACE FUNCTION public.note()
     RETURNS trigger
     LANGUAGE plpgsql
    AS $function$begin return new; end$function$;

    CREATE OR REPLACE FUNCTION public.twice(n integer)
     RETURNS integer
     LANGUAGE sql
     IMMUTABLE
    AS $function$select n * 2$function$;

    create table event (
      organization_id bigint not null,
      id bigint not null,
      person_id bigint,
      constraint event_pkey PRIMARY KEY (organization_id, id),
      constraint event_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE
    ) partition by HASH (organization_id);

    create table person (
      id bigint generated always as identity not null,
      organization_id bigint not null,
      name text collate "C" default 'nobody'::text not null,
      mood mood default 'happy'::mood,
      spread int8multirange default '{}'::int8multirange not null,
      upper_name text generated always as (upper(name)) stored,
      constraint person_pkey PRIMARY KEY (id),
      constraint person_organization_id_name_key UNIQUE (organization_id, name),
      constraint named CHECK ((name <> ''::text))
    ) with (fillfactor=80);
    CREATE INDEX person_name ON public.person USING gin (name gin_trgm_ops) WHERE (mood = 'sad'::mood);
    CREATE TRIGGER noted BEFORE INSERT ON public.person FOR EACH ROW EXECUTE FUNCTION note();
    CREATE STATISTICS public.person_stats ON organization_id, name FROM person;
    comment on column person.name is 'As shown.';

    create unlogged table scratch (
      id integer
    );

    create view happy as
     SELECT name
       FROM person
      WHERE (mood = 'happy'::mood);
    "
  `);
});

test("the dump does not depend on the order in which objects were created", async () => {
  await client.query("create table b (id int); create table a (id int, x text); create index a_x on a (x)");
  const first = await dumpSchema(client);
  await client.query("drop table a; drop table b");
  await client.query("create table a (id int, x text); create index a_x on a (x); create table b (id int)");
  expect(await dumpSchema(client)).toBe(first);
});

test.each([
  ["a default", "alter table a alter column x set default 'y'"],
  ["a column's type", "alter table a alter column id type bigint"],
  ["a not-null constraint", "alter table a alter column x set not null"],
  ["an index", "create index on a (id)"],
  ["a foreign key's rule", "alter table a add foreign key (id) references b on delete set null"],
  ["a storage setting", "alter table a set (fillfactor = 70)"],
  ["a column's compression", "alter table a alter column x set compression pglz"],
  ["logging", "alter table a set unlogged"],
])("%s changes the dump", async (_, change) => {
  await client.query("create table a (id int, x text); create table b (id int primary key)");
  const before = await dumpSchema(client);
  await client.query(change);
  expect(await dumpSchema(client)).not.toBe(before);
});
