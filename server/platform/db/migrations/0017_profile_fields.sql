-- What an organization asks of people beside their names.
create table profile_fields (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  type smallint not null,
  name text not null,
  hint text not null,
  -- JSON as clients get it, with its keys in that order; empty for most types.
  field_data text not null,
  sort_order integer not null,
  is_required boolean not null,
  is_editable_by_user boolean not null,
  is_in_summary boolean not null,
  primary key (organization_id, id)
);

-- What people answered.
create table profile_field_values (
  organization_id bigint not null,
  user_id bigint not null,
  field_id bigint not null,
  value text not null,
  -- HTML, for types that take Markdown.
  rendered_value text,
  primary key (organization_id, user_id, field_id),
  foreign key (organization_id, user_id) references users,
  foreign key (organization_id, field_id) references profile_fields on delete cascade
);
create index profile_field_values_of_field on profile_field_values (organization_id, field_id);
