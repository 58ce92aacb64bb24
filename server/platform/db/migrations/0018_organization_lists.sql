-- Nothing but tests could write linkifiers so far. Of several with one pattern the first one counted.
delete from linkifiers a using linkifiers b
  where a.organization_id = b.organization_id and a.pattern = b.pattern
    and (a.sort_order, a.id) > (b.sort_order, b.id);

alter table linkifiers add unique (organization_id, pattern);

-- Sites that run code. Only clients use them.
create table playgrounds (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  language text not null,
  url_template text not null,
  primary key (organization_id, id),
  unique (organization_id, language, name)
);

-- Domains whose email addresses the organization takes, in lower case and in Punycode.
create table allowed_domains (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  domain text not null,
  allow_subdomains boolean not null,
  primary key (organization_id, id),
  unique (organization_id, domain)
);
