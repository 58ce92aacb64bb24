-- When each organization's expired messages were last looked for, and by what rules. A clock that is far ahead and a
-- rule that was shortened by mistake would delete messages for good, so both are believed after a day only.
create table message_expiries (
  organization_id bigint primary key references organizations (id),
  looked_at timestamptz not null,
  waits_until timestamptz not null,
  policy jsonb not null,
  holds jsonb not null
);
