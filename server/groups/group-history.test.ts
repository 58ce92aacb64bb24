import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import { expectSuccess, sayIn } from "../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../test/harness/harness.ts";
import { Node } from "../../test/harness/node.ts";
import { users } from "../people/user.ts";
import { migrate } from "../platform/db/migrate.ts";
import { sql } from "../platform/db/sql.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { groups } from "./group.ts";
import { MAX_INTERVALS, pastGroupsOf, wasMember } from "./group-history.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev", "elin", "gus"]);
});
afterAll(() => harness?.close());

const say = sayIn(() => harness);
const ids = (...names: CastName[]) => names.map((name) => harness.user(name).id);
const people: CastName[] = ["ada", "ben", "cleo", "dev", "elin", "gus", "echo"];

let made = 0;
async function group(members: CastName[], subgroups: number[] = []): Promise<number> {
  const request = { name: `group ${++made}`, description: "", members: ids(...members), subgroups };
  return (await expectSuccess(harness.as("ada").post("/user_groups/create", request))).group_id;
}

const change = (id: number, what: Record<string, number[]>) =>
  expectSuccess(harness.as("ada").post(`/user_groups/${id}/members`, what));
const setRole = (name: CastName, role: number) =>
  expectSuccess(harness.as("ada").patch(`/users/${harness.user(name).id}`, { role }));

function startNode(): Promise<Node> {
  return Node.start(harness.services.config, harness.services.database.connection, {
    organizationId: harness.state.organizationId,
  });
}

/** Those of these people who were in a group when a message was sent. */
function membersAt(state: OrganizationState, groupId: number, messageId: number): CastName[] {
  const group = [...state.get(groups).all()].find(({ id }) => id === groupId);
  if (!group) throw new Error("there is no such group");
  return people.filter((name) => {
    const user = state.get(users).find(harness.user(name).id);
    const at = { position: messageId, time: Date.now() / 1000 };
    return user !== undefined && wasMember(state, group.id, user, at);
  });
}

async function countRows(): Promise<number> {
  const [row] = await harness.services.database.query<{ count: number }>(
    sql`select count(*)::int as count from group_intervals`,
  );
  return (row as { count: number }).count;
}

describe("the history of groups", () => {
  test("has no rows for members who have been in a group since it was made", async () => {
    const before = await countRows();
    await group(["dev", "elin", "gus"], [await group(["ada"])]);
    expect(await countRows()).toBe(before);
  });

  test("grows by two rows with a change of a role, however many groups the role's group is in", async () => {
    const moderators = harness.state.get(groups).system("moderators").id;
    const outer = [await group([], [moderators])];
    for (let n = 0; n < 5; n++) outer.push(await group([], [outer.at(-1) as number]));
    const before = await countRows();
    const first = await say("ada", "kitchen");
    await setRole("elin", roles.moderator);
    const second = await say("ada", "kitchen");
    await setRole("elin", roles.member);
    expect(await countRows()).toBe(before + 3);
    for (const id of outer) {
      expect(membersAt(harness.state, id, first)).toEqual(["ada", "ben", "cleo"]);
      expect(membersAt(harness.state, id, second)).toEqual(["ada", "ben", "cleo", "elin"]);
    }
  });

  test("is the same on every node, and after a start", async () => {
    const other = await startNode();
    try {
      const inner = await group(["dev"]);
      const outer = await group(["gus"], [inner]);
      const sent: number[] = [];
      const steps = [
        () => change(inner, { add: ids("elin"), delete: ids("dev") }),
        () => change(outer, { delete_subgroups: [inner] }),
        () => setRole("gus", roles.member),
        () => expectSuccess(harness.as("ada").delete(`/users/${ids("elin")[0]}`)),
        () => change(outer, { add_subgroups: [inner] }),
        () => expectSuccess(harness.as("ada").post(`/users/${ids("elin")[0]}/reactivate`)),
        () => expectSuccess(harness.as("ada").patch("/realm", { waiting_period_threshold: 5 })),
        () => change(inner, { add: ids("dev") }),
        () => expectSuccess(harness.as("ada").patch("/realm", { waiting_period_threshold: 0 })),
      ];
      for (const step of steps) {
        sent.push(await say("ada", "kitchen"));
        await step();
      }
      sent.push(await say("ada", "kitchen"));
      await other.state.catchUp();
      const started = await startNode();
      try {
        const full = harness.state.get(groups).system("fullMembers").id;
        for (const id of [inner, outer, full]) {
          const expected = sent.map((message) => membersAt(harness.state, id, message));
          expect(sent.map((message) => membersAt(other.state, id, message))).toEqual(expected);
          expect(sent.map((message) => membersAt(started.state, id, message))).toEqual(expected);
        }
        const inInner = sent.map((message) => membersAt(started.state, inner, message).join());
        expect(inInner).toEqual([
          "dev",
          "elin",
          "elin",
          "elin",
          "",
          "",
          "elin",
          "elin",
          "dev,elin",
          "dev,elin",
        ]);
      } finally {
        await started.stop();
      }
    } finally {
      await other.stop();
    }
  });

  test("stays small when somebody is added and removed all day", async () => {
    const id = await group(["dev"]);
    const before = await countRows();
    for (let n = 0; n < MAX_INTERVALS + 5; n++) {
      await change(id, { add: ids("elin") });
      await change(id, { delete: ids("elin") });
    }
    const gone = await say("ada", "kitchen");
    expect(await countRows()).toBe(before + MAX_INTERVALS);
    expect(membersAt(harness.state, id, gone)).toEqual(["dev"]);
    const started = await startNode();
    const elin = (state: OrganizationState) => state.get(users).find(harness.user("elin").id);
    const past = ({ state }: { state: OrganizationState }) => {
      const user = elin(state);
      return [...(user ? pastGroupsOf(state, user) : [])].find(([each]) => each === id)?.[1].length;
    };
    expect(past(started)).toBe(MAX_INTERVALS);
    expect(past(harness)).toBe(MAX_INTERVALS);
    await started.stop();
  });

  test("ends for a person when the group is deleted, and is kept", async () => {
    const id = await group(["dev"]);
    const before = await countRows();
    await expectSuccess(harness.as("ada").delete(`/user_groups/${id}`));
    expect(await countRows()).toBe(before + 1);
  });
});

describe("a database of before the history", () => {
  test("keeps the members of now as those of the past, also those who are deactivated", async () => {
    const id = await group(["dev", "elin"]);
    const late = await group([]);
    await change(late, { add: ids("dev") });
    const elin = `/users/${harness.user("elin").id}`;
    await expectSuccess(harness.as("ada").delete(elin));
    const message = await say("ada", "kitchen");
    const client = new pg.Client(harness.services.database.connection);
    await client.connect();
    try {
      await client.query(`drop table group_intervals, former_waiting_periods;
        alter table messages drop column mentioned_group_positions;
        drop function fold_name cascade;
        drop table last_mail, mail_warnings, files_mark;
        drop table statistics_cursors, statistics_days, statistics_channel_days, active_days;
        drop table own_data_copies;
        alter table mailed_codes drop column by_operator;
        alter table migrations drop column compatible_from;
        alter table mails drop column kind, drop column recipient, drop column attempts, drop column last_attempt_at,
          drop column last_answer, drop column refused_at, drop column told_at;
        drop table erasures, secret_check, message_expiries, former_addresses, asked_mails, import_sources, imports;
        alter table external_identities drop column id, drop column connected_by, drop column second_step_at;
        alter table sessions drop column step_proved_at;
        alter table users drop column password_mailed_at, drop column erased_at;
        drop table topic_read_states, old_read_states;
        alter table message_edits drop column previous_topic_id;
        drop table missed_messages;
        create table missed_messages (organization_id bigint, user_id bigint, message_id bigint,
          due_at timestamptz, sent_at timestamptz, constraint missed_messages_pkey
          primary key (organization_id, user_id, message_id));
        create index missed_messages_due on missed_messages (due_at);
        drop index messages_read_notices, message_flags_starred, drafts_of_channel, scheduled_messages_of_channel;
        alter table organization_logs drop constraint organization_logs_pkey;
        alter table organization_logs drop column stretch;
        alter table organization_logs add primary key (organization_id);
        create index event_queues_last_seen on event_queues (last_seen_at);
        delete from migrations where id >= 36`);
      await migrate(client);
    } finally {
      await client.end();
    }
    const node = await startNode();
    try {
      expect(membersAt(node.state, id, message)).toEqual(["dev", "elin"]);
      expect(membersAt(node.state, late, message)).toEqual(["dev"]);
      const missed = await say("ada", "kitchen");
      await expectSuccess(harness.as("ada").post(`${elin}/reactivate`));
      await node.state.catchUp();
      const after = await say("ada", "kitchen");
      await node.state.catchUp();
      for (const each of [message, after]) expect(membersAt(node.state, id, each)).toEqual(["dev", "elin"]);
      expect(membersAt(node.state, id, missed)).toEqual(["dev"]);
    } finally {
      await node.stop();
    }
  });
});
