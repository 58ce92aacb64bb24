/** Names that several things share since names are compared in one form. They were made before that. */
import type pg from "pg";
import { EMPTY_TOPIC_NAMES } from "../../api/channels/topic-name.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { type Finding, passed, warned } from "./checks.ts";

/** How many of each kind are listed. */
const MAX_LISTED = 10;

interface SharedName {
  host: string;
  /** For topics: their channel. */
  channelId: number;
  names: string[];
}

/** A warning for each name that several topics, channels or groups have. */
export async function* checkSharedNames(client: pg.Client): AsyncIterable<Finding> {
  const topics = await listSharedTopics(client);
  const channels = await listShared(client, "channels");
  const groups = await listShared(client, "groups");
  for (const { host, channelId, names } of topics) {
    yield warned(
      "name-shared",
      `${host}: the topics ${listed(names)} of channel ${channelId} have one name.`,
      `parley topic merge --host ${host} ${channelId} ${quoted(names[0] ?? "")} joins them.`,
    );
  }
  for (const { host, names } of channels) {
    yield warned("name-shared", `${host}: the channels ${listed(names)} have one name.`, RENAME);
  }
  for (const { host, names } of groups) {
    yield warned("name-shared", `${host}: the groups ${listed(names)} have one name.`, RENAME);
  }
  if (topics.length + channels.length + groups.length === 0) yield passed("No two things share a name.");
}

const RENAME = "The name means the first of them. Give the others another name in their settings.";

function listed(names: readonly string[]): string {
  return names.map((name) => quoted(name)).join(", ");
}

/** Characters that can't be seen are shown by their numbers, since they may be the difference. */
function quoted(name: string): string {
  return safeLine(
    JSON.stringify(name).replace(
      /[\p{M}\p{Cf}]/gu,
      (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
    ),
  );
}

async function listShared(client: pg.Client, table: "channels" | "groups"): Promise<SharedName[]> {
  const { rows } = await client.query<SharedName>(`
    select o.host, 0 as "channelId", array_agg(t.name order by t.id) as names
    from ${table} t join organizations o on o.id = t.organization_id
    group by o.host, t.organization_id, fold_name(t.name) having count(*) > 1
    order by o.host, min(t.id) limit ${MAX_LISTED}`);
  return rows;
}

/** Topics without messages are not counted: merged ones stay as rows. */
async function listSharedTopics(client: pg.Client): Promise<SharedName[]> {
  const { rows } = await client.query<SharedName>(
    `select o.host, t.channel_id::int as "channelId", array_agg(t.name order by t.id) as names
    from (
      select *, case when fold_name(name) = any($1) then '' else fold_name(name) end as folded from topics
    ) t join organizations o on o.id = t.organization_id
    where (organization_id, channel_id, folded) in (
      select organization_id, channel_id,
        case when fold_name(name) = any($1) then '' else fold_name(name) end
      from topics group by 1, 2, 3 having count(*) > 1)
      and exists (
        select from messages m where m.organization_id = t.organization_id and m.topic_id = t.id)
    group by o.host, t.organization_id, t.channel_id, t.folded having count(*) > 1
    order by o.host, min(t.id) limit ${MAX_LISTED}`,
    [EMPTY_TOPIC_NAMES],
  );
  return rows;
}
