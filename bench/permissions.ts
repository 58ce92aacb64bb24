/**
 * Checks whether a person belongs to one of 1,000 groups, nested in several shapes. Every send, fetch and
 * delivery makes such checks. The functions are called in this process, on an organization loaded as a
 * server loads it. All times are processor time, so other load on the machine changes them little.
 */
import pino from "pino";
import { organizationPermissions } from "../api/administration/organization-permissions.ts";
import type { GroupId, UserId } from "../api/ids.ts";
import { openServices } from "../server/app.ts";
import { readConfig } from "../server/config.ts";
import { type Group, type GroupValue, groups, isInGroupValue, isMember } from "../server/groups/group.ts";
import { canDo } from "../server/groups/group-setting.ts";
import { type User, users } from "../server/people/user.ts";
import { migrate } from "../server/platform/db/migrate.ts";
import { sql } from "../server/platform/db/sql.ts";
import type { OrganizationState } from "../server/platform/log/organization-state.ts";
import { startThrowAwayPostgres } from "../server/platform/postgres/throw-away.ts";
import { median } from "./harness/figures.ts";
import { fill } from "./harness/fixture.ts";
import { seeded } from "./harness/messages.ts";
import { size } from "./harness/options.ts";
import { addCleanUp } from "./harness/processes.ts";
import { checkRest, printGoal, printTable, save } from "./harness/report.ts";
import { scenario } from "./harness/scenario.ts";

const GROUPS = 1000;
const DEPTH = 10;
const PEOPLE = size(10_000, 200);
const CHECKS = size(400_000, 5000);
const CHANGES = size(50, 3);
/** How many checks are repeated. */
const QUESTIONS = 4096;

interface Shape {
  what: string;
  /** The subgroups of the nth group, by their numbers. */
  partsOf(index: number): number[];
  /** The groups that people are added to. */
  holdsPeople(index: number): boolean;
}

const random = seeded(11);
const layer = GROUPS / DEPTH;

const shapes: readonly Shape[] = [
  {
    what: `chains of ${DEPTH}`,
    partsOf: (index) => (index % DEPTH === DEPTH - 1 ? [] : [index + 1]),
    holdsPeople: (index) => index % DEPTH === DEPTH - 1,
  },
  {
    what: `one of ${GROUPS - 1}`,
    partsOf: (index) => (index === 0 ? Array.from({ length: GROUPS - 1 }, (_, part) => part + 1) : []),
    holdsPeople: (index) => index > 0,
  },
  {
    what: `${DEPTH} layers, each group of 5 in the next`,
    partsOf: (index) => {
      const next = (Math.floor(index / layer) + 1) * layer;
      return next >= GROUPS ? [] : Array.from({ length: 5 }, () => next + Math.floor(random() * layer));
    },
    holdsPeople: (index) => index >= GROUPS - layer,
  },
];

interface Figures {
  what: string;
  isMemberUs: number;
  isAllowedByUs: number;
  namesTenUs: number;
  firstAfterChangeUs: number;
  firstOfPersonUs: number;
}

await scenario(async () => {
  checkRest();
  const postgres = await startThrowAwayPostgres();
  addCleanUp(() => postgres.stop());
  await migrate(postgres.connection);
  const config = readConfig({ PARLEY_ENV: "development", PARLEY_LOG: "silent" });
  const services = await openServices(config, pino({ level: "silent" }), postgres.connection);
  const { organizationId } = await fill(services, { people: PEOPLE, keys: 0, subscribers: 0 });
  const rows: Figures[] = [];
  for (const shape of shapes) {
    await services.database.transaction(async (tx) => {
      await tx.query(sql`delete from group_subgroups`);
      await tx.query(sql`delete from group_members`);
      await tx.query(sql`delete from groups where system_role is null`);
      const made = await tx.query<{ id: number }>(sql`
        insert into groups (organization_id, name)
        select ${organizationId}, 'group ' || n from generate_series(1, ${GROUPS}::int) as n order by n returning id`);
      const ids = made.map(({ id }) => id);
      const pairs = ids.flatMap((id, index) =>
        [...new Set(shape.partsOf(index))].map((part) => [id, ids[part] as number] as const),
      );
      await tx.query(sql`
        insert into group_subgroups (organization_id, group_id, subgroup_id)
        select ${organizationId}, * from unnest(${pairs.map(([id]) => id)}::bigint[], ${pairs.map(([, part]) => part)}::bigint[])`);
      const holders = ids.filter((_, index) => shape.holdsPeople(index));
      await tx.query(sql`
        insert into group_members (organization_id, group_id, user_id)
        select ${organizationId}, (${holders}::bigint[])[1 + u.id * step % ${holders.length}::int], u.id
        from users u, unnest(array[7, 11, 13]) as step where u.organization_id = ${organizationId}
        on conflict do nothing`);
    });
    // Like another node: it loads the current state.
    const node = await openServices(config, pino({ level: "silent" }), postgres.connection);
    rows.push({ what: shape.what, ...measure(await node.organizations.byId(organizationId)) });
    await node.database.close();
  }
  await services.database.close();
  await postgres.stop();

  printTable(
    `${GROUPS} groups, ${PEOPLE.toLocaleString("en")} people; microseconds a check`,
    rows.map((row) => ({
      shape: row.what,
      isMember: row.isMemberUs,
      isAllowedBy: row.isAllowedByUs,
      "10 groups, 20 people": row.namesTenUs,
      "first of a person": row.firstOfPersonUs,
      "first after a change": row.firstAfterChangeUs,
    })),
  );
  console.log();
  const worst = Math.max(...rows.flatMap((row) => [row.isMemberUs, row.isAllowedByUs, row.namesTenUs]));
  printGoal("a check, microseconds, the slowest kind", worst, { most: 5 });
  save("permissions", { groups: GROUPS, people: PEOPLE, rows });
});

function measure(state: OrganizationState): Omit<Figures, "what"> {
  const people = [...state.get(users).all()];
  const named = [...state.get(groups).all()].filter(({ systemCode }) => systemCode === null);
  const anyOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const askers = Array.from({ length: QUESTIONS }, () => anyOf(people));
  const asked = Array.from({ length: QUESTIONS }, () => anyOf(named).id);
  const values = Array.from(
    { length: QUESTIONS },
    (): GroupValue => ({
      direct_members: Array.from({ length: 20 }, () => anyOf(people).id as UserId),
      direct_subgroups: Array.from({ length: 10 }, () => anyOf(named).id as GroupId),
    }),
  );
  const isMemberUs = time((index) => isMember(state, asked[index] as GroupId, askers[index] as User));
  const isAllowedByUs = time((index) =>
    canDo(state, organizationPermissions.canMoveMessagesBetweenTopics, askers[index] as User),
  );
  const namesTenUs = time((index) =>
    isInGroupValue(state, values[index] as GroupValue, askers[index] as User),
  );
  const changes = Array.from({ length: CHANGES }, () =>
    timeChange(state, anyOf(named), anyOf(people), asked),
  );
  return {
    isMemberUs,
    isAllowedByUs,
    namesTenUs,
    firstAfterChangeUs: median(changes.map(({ firstUs }) => firstUs)),
    firstOfPersonUs: median(changes.map(({ othersUs }) => othersUs)),
  };
}

/** Microseconds for one of many checks, once the code is warm. */
function time(check: (index: number) => boolean): number {
  let yes = 0;
  const run = (count: number) => {
    const startedAt = usedUs();
    for (let done = 0; done < count; done++) if (check(done % QUESTIONS)) yes++;
    return usedUs() - startedAt;
  };
  run(CHECKS / 10);
  const us = run(CHECKS);
  // The results are used, so that the compiler can't drop the checks.
  if (yes < 0) throw new Error("there are no negative counts");
  return us / CHECKS;
}

/**
 * The cache is dropped when a group changes. Measures the first check after that, and the first for each
 * other person.
 */
function timeChange(state: OrganizationState, group: Group, first: User, asked: readonly GroupId[]) {
  state.get(groups).put({ ...group });
  const startedAt = usedUs();
  isMember(state, asked[0] as GroupId, first);
  const firstUs = usedUs() - startedAt;
  const others = [...state.get(users).all()].slice(0, 1000);
  const othersAt = usedUs();
  for (const user of others) isMember(state, asked[0] as GroupId, user);
  return { firstUs, othersUs: (usedUs() - othersAt) / others.length };
}

function usedUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
