-- An organization that comes from another chat, or from another server. Until its import ends it has no row in
-- organization_logs, so no node can load it.
create table imports (
  organization_id bigint not null primary key references organizations (id),
  source text not null,
  archive text not null,
  step text not null,
  messages bigint not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);

-- Which row came of which thing of the source, by the source's own names.
create table import_sources (
  organization_id bigint not null references organizations (id),
  source text not null,
  kind text not null,
  source_id text not null,
  id bigint not null,
  primary key (organization_id, source, kind, source_id)
);
