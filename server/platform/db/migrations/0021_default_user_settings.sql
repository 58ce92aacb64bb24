-- The settings that people start with in this organization, where they differ from the declared defaults. A person
-- gets them when the account is made; later changes are for those who join later.
alter table organizations add column default_user_settings jsonb not null default '{}';
