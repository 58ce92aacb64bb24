import type { ChannelId, OrganizationId, UserId } from "../../api/ids.ts";
import { roles } from "../../api/roles.ts";
import { createSystemGroups } from "../../server/groups/create.ts";
import { addOrganization } from "../../server/organization/create.ts";
import { createFirstOwner } from "../../server/people/actions.ts";
import { sql } from "../../server/platform/db/sql.ts";
import type { Services } from "../../server/services.ts";

export interface Small {
  organizationId: OrganizationId;
  channelId: ChannelId;
}

/** Organizations with this many people, all subscribed to one channel. */
export async function makeOrganizations(
  { database, keyring }: Services,
  count: number,
  people: number,
): Promise<Small[]> {
  const made: Small[] = [];
  for (let index = 0; index < count; index++) {
    made.push(
      await database.transaction(async (tx) => {
        const host = `${people}-${index}.bench.test`;
        const organizationId = await addOrganization(tx, { host, name: host });
        await createSystemGroups(tx, organizationId);
        const owner = { email: "owner@bench.test", fullName: "Olga Owner", passwordHash: null };
        const { id: ownerId } = await createFirstOwner(tx, keyring, organizationId, owner);
        await tx.query<{ id: UserId }>(sql`
          insert into users (organization_id, email, full_name, role)
          select ${organizationId}, 'person' || n || '@bench.test', 'Person Number' || n, 400
          from generate_series(2, ${people}::int) as n`);
        const [channel] = await tx.query<{ id: ChannelId }>(sql`
          insert into channels (organization_id, name, creator_id) values (${organizationId}, 'bench', ${ownerId})
          returning id`);
        const channelId = (channel as { id: ChannelId }).id;
        await tx.query(sql`
          with head as (
            update organization_logs set head = head + 1 where organization_id = ${organizationId} returning head
          ), mark as (
            insert into log_positions (organization_id, id, position)
            select ${organizationId}, nextval('log_position_ids'), head from head returning id
          )
          insert into subscriptions (organization_id, channel_id, user_id, from_position_ref)
          select ${organizationId}, ${channelId}, u.id, mark.id
          from users u, mark where u.organization_id = ${organizationId} and u.role = ${roles.member}`);
        return { organizationId, channelId };
      }),
    );
  }
  return made;
}
