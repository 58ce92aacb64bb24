/** Searches in channels of the demo organization, and what its index has of them. */
import { afterAll, afterEach, beforeEach, vi } from "vitest";
import { findCursor } from "../../server/messages/search/cursor-store.ts";
import { indexAll } from "../../server/messages/search/index-messages.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { expectSuccess } from "./answers.ts";
import { type CastName, createHarness } from "./harness.ts";

type Term = readonly [operator: string, operand: unknown, negated?: boolean];

interface Options {
  as?: CastName;
  more?: Term[];
  anchor?: number | "oldest" | undefined;
  num_before?: number;
  num_after?: number;
}

export const idsOf = ({ messages }: { messages: { id: number }[] }) => messages.map(({ id }) => id);

/** Starts the server of a file, and ends it after the tests. Before each of them, all is indexed. */
export async function useSearchIndex() {
  const harness = await createHarness();
  afterAll(() => harness.close());
  const kitchen = (await harness.channel("kitchen", ["ada", "dev", "elin"])).id;
  const vault = (await harness.channel("vault", ["ada", "elin"], { isPrivate: true })).id;
  const { database, organizationId } = harness.state;

  beforeEach(() => indexAll(database, organizationId));
  afterEach(() => vi.restoreAllMocks());

  async function say(
    content: string,
    params: Record<string, unknown> = {},
    name: CastName = "ada",
  ): Promise<number> {
    const message = { type: "channel", to: kitchen, topic: "lunch", content, ...params };
    return (await expectSuccess(harness.as(name).post("/messages", message))).id;
  }

  const edit = (id: number | undefined, params: Record<string, unknown>) =>
    expectSuccess(
      harness.as("ada").patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...params }),
    );

  /** One answer. While the machine is busy, its search may end early. */
  async function ask(query: string, { as = "dev", more = [], ...rest }: Options = {}) {
    const narrow = [["search", query] as Term, ...more].map(([operator, operand, negated = false]) => ({
      operator,
      operand,
      negated,
    }));
    return expectSuccess(
      harness.as(as).get("/messages", { anchor: "newest", num_before: 1000, num_after: 0, narrow, ...rest }),
    );
  }

  /** Goes on on both sides where a search ended early. */
  async function page(query: string, options: Options = {}) {
    const { num_before = 1000, num_after = 0 } = options;
    const whole = await ask(query, options);
    while (whole.searched_from !== undefined) {
      const { searched_from: anchor, ...older } = await ask(query, {
        ...options,
        ...{ anchor: whole.searched_from, num_before: num_before - whole.messages.length, num_after: 0 },
      });
      whole.messages.unshift(...older.messages);
      Object.assign(whole, { searched_from: anchor, found_oldest: older.found_oldest });
    }
    while (whole.searched_to !== undefined) {
      const { searched_to: anchor, ...newer } = await ask(query, {
        ...options,
        ...{ anchor: whole.searched_to, num_before: 0, num_after: num_after - whole.messages.length },
      });
      whole.messages.push(...newer.messages);
      Object.assign(whole, { searched_to: anchor, found_newest: newer.found_newest });
    }
    return whole;
  }

  async function find(query: string, options: Options = {}): Promise<number[]> {
    const { messages } = await page(query, options);
    return messages.map(({ id }: { id: number }) => id);
  }

  /** Copies of a message, as many as an import writes at once. */
  async function importCopies(id: number, count: number): Promise<{ first: number; last: number }> {
    const [row] = await database.query<{ base: number }>(sql`
      with log as (
        update organization_logs set head = head + ${count}::int where organization_id = ${organizationId}
        returning head - ${count}::int as base
      ), copies as (
        insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
          rendered_content)
        select m.organization_id, log.base + n, m.recipient_id, m.topic_id, m.sender_id, m.client, m.sent_at, m.facts,
          m.content, m.rendered_content
        from log, messages m, generate_series(1, ${count}::int) n
        where m.organization_id = ${organizationId} and m.id = ${id}
      )
      select base from log`);
    await harness.state.catchUp();
    const { base } = row as { base: number };
    return { first: base + 1, last: base + count };
  }

  async function forget(first: number, last: number): Promise<void> {
    await database.query(sql`
      delete from messages where organization_id = ${organizationId} and id between ${first} and ${last}`);
  }

  const cursor = async () => {
    const found = await findCursor(database, organizationId);
    if (!found) throw new Error("there is no cursor");
    return found;
  };

  /** Puts messages into a gap, as if they had never been indexed. */
  async function makeGap(from: number, to: number): Promise<void> {
    await database.query(sql`
      update search_cursors set followed_to = greatest(followed_to, ${to}),
        gaps = int8multirange(int8range(${from}, ${to}, '[]'))
      where organization_id = ${organizationId}`);
    await database.query(sql`
      delete from search_words
      where organization_id = ${organizationId} and message_id between ${from} and ${to}`);
  }
  return {
    ...{ harness, kitchen, vault, database, organizationId, cursor },
    ...{ say, edit, ask, page, find, importCopies, forget, makeGap },
  };
}
