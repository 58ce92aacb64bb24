-- People see the identities by which they sign in, and end them by a number. An identity keeps by what its person has
-- shown whose the account is, and when they last showed the account's second step. Where it is not known how one was
-- connected, it counts as connected by the weakest proof; so does what nodes of the earlier release connect.
alter table external_identities
  add column id bigint generated always as identity,
  add column connected_by text not null default 'password'
    check (connected_by in ('password', 'email', 'joining')),
  add column second_step_at timestamptz;
create unique index external_identities_id on external_identities (organization_id, id);

-- Whoever joined by a provider got the account and the identity in one transaction.
update external_identities i set connected_by = 'joining'
  from users u where u.organization_id = i.organization_id and u.id = i.user_id and u.joined_at = i.created_at;
