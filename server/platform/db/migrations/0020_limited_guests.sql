-- Whom a guest knows from direct messages, while guests may not see everybody. What a guest knows from channels
-- follows from subscriptions.
create table guest_contacts (
  organization_id bigint not null references organizations,
  guest_id bigint not null,
  user_id bigint not null,
  primary key (organization_id, guest_id, user_id),
  foreign key (organization_id, guest_id) references users,
  foreign key (organization_id, user_id) references users
);
