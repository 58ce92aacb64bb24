-- What the migrations make. Written by tools/dump-schema.js; do not edit.

create sequence log_position_ids as bigint start 1 increment 1 minvalue 1 maxvalue 9223372036854775807 cache 1;

create sequence recipient_ids as bigint start 1 increment 1 minvalue 1 maxvalue 9223372036854775807 cache 1;

CREATE OR REPLACE FUNCTION public.fold_name(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select normalize(
    replace(replace(replace(
      lower(translate(normalize(name, NFC),
        E'\u00AD\u061C\u180E\u200B\u200C\u200D\u200E\u200F\u202A\u202B\u202C\u202D\u202E'
        '\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206A\u206B\u206C\u206D\u206E\u206F'
        '\uFEFF\uFFF9\uFFFA\uFFFB'
        '\U00013430\U00013431\U00013432\U00013433\U00013434\U00013435\U00013436\U00013437'
        '\U00013438\U00013439\U0001343A\U0001343B\U0001343C\U0001343D\U0001343E\U0001343F'
        '\U0001BCA0\U0001BCA1\U0001BCA2\U0001BCA3'
        '\U0001D173\U0001D174\U0001D175\U0001D176\U0001D177\U0001D178\U0001D179\U0001D17A\U000E0001',
        '')),
      'ß', 'ss'), 'ς', 'σ'), E'i\u0307', 'i'),
    NFC)
$function$;

CREATE OR REPLACE FUNCTION public.stale_memory()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the memory that was checked has changed' using errcode = 'PA001';
end
$function$;

create table active_days (
  organization_id bigint not null,
  day date not null,
  user_id bigint not null,
  constraint active_days_pkey PRIMARY KEY (organization_id, day, user_id),
  constraint active_days_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table alert_words (
  organization_id bigint not null,
  user_id bigint not null,
  word text not null,
  constraint alert_words_pkey PRIMARY KEY (organization_id, user_id, word),
  constraint alert_words_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table allowed_domains (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  domain text not null,
  allow_subdomains boolean not null,
  constraint allowed_domains_pkey PRIMARY KEY (organization_id, id),
  constraint allowed_domains_organization_id_domain_key UNIQUE (organization_id, domain),
  constraint allowed_domains_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table api_keys (
  organization_id bigint not null,
  user_id bigint not null,
  key_hash bytea not null,
  key_encrypted bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint api_keys_pkey PRIMARY KEY (organization_id, user_id),
  constraint api_keys_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE UNIQUE INDEX api_keys_hash ON public.api_keys USING btree (organization_id, key_hash);

create table asked_mails (
  organization_id bigint not null,
  kind text not null,
  address_hash bytea not null,
  mails integer not null,
  day_began_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint asked_mails_pkey PRIMARY KEY (organization_id, kind, address_hash),
  constraint asked_mails_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX asked_mails_last ON public.asked_mails USING btree (last_at);

create table audit_log (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  actor_id bigint,
  action text not null,
  target_type text not null,
  target_id bigint,
  changes jsonb not null,
  client text,
  network text,
  constraint audit_log_pkey PRIMARY KEY (organization_id, id),
  constraint audit_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table bot_storage (
  organization_id bigint not null,
  user_id bigint not null,
  key text not null,
  value text not null,
  constraint bot_storage_pkey PRIMARY KEY (organization_id, user_id, key),
  constraint bot_storage_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table bots (
  organization_id bigint not null,
  user_id bigint not null,
  default_sending_channel_id bigint,
  default_events_channel_id bigint,
  default_all_public_channels boolean default false not null,
  config jsonb default '{}'::jsonb not null,
  service_name text,
  payload_url text,
  interface smallint default 1 not null,
  token_encrypted bytea,
  constraint bots_pkey PRIMARY KEY (organization_id, user_id),
  constraint bots_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id),
  constraint bots_check CHECK (((payload_url IS NULL) = (token_encrypted IS NULL)))
);

create table channel_folders (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  name text not null,
  description text default ''::text not null,
  rendered_description text default ''::text not null,
  creator_id bigint,
  sort_order integer not null,
  created_at timestamp with time zone default now() not null,
  archived_at timestamp with time zone,
  constraint channel_folders_pkey PRIMARY KEY (organization_id, id),
  constraint channel_folders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table channels (
  organization_id bigint not null,
  id bigint default nextval('recipient_ids'::regclass) not null,
  name text not null,
  description text default ''::text not null,
  rendered_description text default ''::text not null,
  is_private boolean default false not null,
  is_web_public boolean default false not null,
  is_history_shared boolean default true not null,
  is_default boolean default false not null,
  topics_policy text default 'inherit'::text not null,
  message_retention_days integer,
  folder_id bigint,
  creator_id bigint,
  group_settings jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  archived_at timestamp with time zone,
  constraint channels_pkey PRIMARY KEY (organization_id, id),
  constraint channels_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint channels_organization_id_folder_id_fkey FOREIGN KEY (organization_id, folder_id) REFERENCES channel_folders(organization_id, id)
);
CREATE INDEX channels_folded_name ON public.channels USING btree (organization_id, fold_name(name));
CREATE UNIQUE INDEX channels_name ON public.channels USING btree (organization_id, lower(name));

create table conversation_members (
  organization_id bigint not null,
  user_id bigint not null,
  conversation_id bigint not null,
  constraint conversation_members_pkey PRIMARY KEY (organization_id, user_id, conversation_id),
  constraint conversation_members_organization_id_conversation_id_fkey FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations(organization_id, id),
  constraint conversation_members_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table conversations (
  organization_id bigint not null,
  id bigint default nextval('recipient_ids'::regclass) not null,
  user_ids bigint[] not null,
  constraint conversations_pkey PRIMARY KEY (organization_id, id),
  constraint conversations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX conversations_people ON public.conversations USING btree (organization_id, user_ids);

create table custom_emoji (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  name text not null,
  file_name text not null,
  is_animated boolean default false not null,
  author_id bigint,
  deactivated_at timestamp with time zone,
  constraint custom_emoji_pkey PRIMARY KEY (organization_id, id),
  constraint custom_emoji_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX custom_emoji_name ON public.custom_emoji USING btree (organization_id, name) WHERE (deactivated_at IS NULL);

create table default_channel_group_channels (
  organization_id bigint not null,
  group_id bigint not null,
  channel_id bigint not null,
  constraint default_channel_group_channels_pkey PRIMARY KEY (organization_id, group_id, channel_id),
  constraint default_channel_group_channels_organization_id_channel_id_fkey FOREIGN KEY (organization_id, channel_id) REFERENCES channels(organization_id, id),
  constraint default_channel_group_channels_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES default_channel_groups(organization_id, id) ON DELETE CASCADE
);

create table default_channel_groups (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  name text not null,
  description text default ''::text not null,
  constraint default_channel_groups_pkey PRIMARY KEY (organization_id, id),
  constraint default_channel_groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX default_channel_groups_folded_name ON public.default_channel_groups USING btree (organization_id, fold_name(name));
CREATE UNIQUE INDEX default_channel_groups_name ON public.default_channel_groups USING btree (organization_id, lower(name));

create table device_tokens (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint generated always as identity not null,
  kind text not null,
  token text not null,
  app_id text,
  added_at timestamp with time zone default clock_timestamp() not null,
  constraint device_tokens_pkey PRIMARY KEY (organization_id, user_id, id),
  constraint device_tokens_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id),
  constraint device_tokens_kind_check CHECK ((kind = ANY (ARRAY['apns'::text, 'fcm'::text])))
);
CREATE UNIQUE INDEX device_tokens_token ON public.device_tokens USING btree (organization_id, user_id, kind, md5(token));

create table digests (
  organization_id bigint not null,
  user_id bigint not null,
  last_day date not null,
  constraint digests_pkey PRIMARY KEY (organization_id, user_id),
  constraint digests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint digests_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table drafts (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint generated always as identity not null,
  channel_id bigint,
  user_ids bigint[],
  topic text not null,
  content text not null,
  edited_at timestamp with time zone not null,
  constraint drafts_pkey PRIMARY KEY (organization_id, user_id, id),
  constraint drafts_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id),
  constraint drafts_check CHECK (((channel_id IS NULL) OR (user_ids IS NULL)))
);
CREATE INDEX drafts_of_channel ON public.drafts USING btree (organization_id, channel_id) WHERE (channel_id IS NOT NULL);

create table erasures (
  organization_id bigint not null,
  user_id bigint not null,
  keeps_messages boolean not null,
  encrypted bytea,
  message_id bigint default 0 not null,
  asked_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint erasures_pkey PRIMARY KEY (organization_id, user_id),
  constraint erasures_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint erasures_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table event_queues (
  organization_id bigint not null,
  id uuid not null,
  user_id bigint not null,
  cursor bigint not null,
  started_at bigint not null,
  options jsonb not null,
  lifespan_seconds integer not null,
  last_seen_at timestamp with time zone default now() not null,
  constraint event_queues_pkey PRIMARY KEY (organization_id, id),
  constraint event_queues_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint event_queues_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
) with (fillfactor=70);
CREATE INDEX event_queues_all_public ON public.event_queues USING btree (organization_id, user_id) WHERE (options @> '{"allPublicStreams": true}'::jsonb);

create table events (
  organization_id bigint not null,
  "position" bigint not null,
  written_on date default ((now() AT TIME ZONE 'utc'::text))::date not null,
  type text not null,
  payload jsonb not null,
  audience jsonb not null,
  state jsonb,
  constraint events_pkey PRIMARY KEY (organization_id, "position", written_on)
) partition by RANGE (written_on);
CREATE INDEX events_of_privacy ON ONLY public.events USING btree (organization_id, "position") WHERE ((state -> 'channels'::text) ? 'before'::text);

create table exports (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  acting_user_id bigint not null,
  type smallint not null,
  status text default 'pending'::text not null,
  requested_at timestamp with time zone default now() not null,
  starts integer default 0 not null,
  run_id uuid,
  active_at timestamp with time zone default now() not null,
  progress smallint default 0 not null,
  failure_reason text,
  ended_at timestamp with time zone,
  file_key text,
  constraint exports_pkey PRIMARY KEY (organization_id, id),
  constraint exports_organization_id_acting_user_id_fkey FOREIGN KEY (organization_id, acting_user_id) REFERENCES users(organization_id, id),
  constraint exports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint exports_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text, 'deleted'::text]))),
  constraint exports_type_check CHECK ((type = ANY (ARRAY[1, 2])))
);
CREATE UNIQUE INDEX exports_pending ON public.exports USING btree (organization_id) WHERE (status = 'pending'::text);
CREATE INDEX exports_with_file ON public.exports USING btree (ended_at) WHERE (file_key IS NOT NULL);

create table external_identities (
  organization_id bigint not null,
  issuer text not null,
  subject text not null,
  user_id bigint not null,
  provider_id text not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone default now() not null,
  id bigint generated always as identity not null,
  connected_by text default 'password'::text not null,
  second_step_at timestamp with time zone,
  constraint external_identities_pkey PRIMARY KEY (organization_id, issuer, subject),
  constraint external_identities_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint external_identities_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id),
  constraint external_identities_connected_by_check CHECK ((connected_by = ANY (ARRAY['password'::text, 'email'::text, 'joining'::text])))
);
CREATE UNIQUE INDEX external_identities_id ON public.external_identities USING btree (organization_id, id);
CREATE INDEX external_identities_user ON public.external_identities USING btree (organization_id, user_id);

create table external_images (
  organization_id bigint not null,
  digest bytea not null,
  file_name text not null,
  size_bytes integer not null,
  fetched_at timestamp with time zone default clock_timestamp() not null,
  constraint external_images_pkey PRIMARY KEY (organization_id, digest),
  constraint external_images_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX external_images_age ON public.external_images USING btree (fetched_at);

create table external_pages (
  organization_id bigint not null,
  digest bytea not null,
  title text,
  description text,
  image_url text,
  expires_at timestamp with time zone not null,
  constraint external_pages_pkey PRIMARY KEY (organization_id, digest),
  constraint external_pages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX external_pages_age ON public.external_pages USING btree (expires_at);

create table files_mark (
  is_only boolean default true not null,
  id uuid default gen_random_uuid() not null,
  is_written boolean default false not null,
  constraint files_mark_pkey PRIMARY KEY (is_only),
  constraint files_mark_is_only_check CHECK (is_only)
);

create table files_to_delete (
  organization_id bigint not null,
  key text not null,
  due_at timestamp with time zone not null,
  constraint files_to_delete_pkey PRIMARY KEY (organization_id, key),
  constraint files_to_delete_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX files_to_delete_due ON public.files_to_delete USING btree (due_at);

create table former_addresses (
  organization_id bigint not null,
  user_id bigint not null,
  address text not null,
  until timestamp with time zone not null,
  constraint former_addresses_pkey PRIMARY KEY (organization_id, user_id, address),
  constraint former_addresses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint former_addresses_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE INDEX former_addresses_until ON public.former_addresses USING btree (until);

create table former_waiting_periods (
  organization_id bigint not null,
  to_position_ref bigint not null,
  days integer not null,
  constraint former_waiting_periods_pkey PRIMARY KEY (organization_id, to_position_ref),
  constraint former_waiting_periods_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table group_intervals (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  group_id bigint not null,
  user_id bigint,
  subgroup_id bigint,
  from_position_ref bigint,
  to_position_ref bigint,
  constraint group_intervals_pkey PRIMARY KEY (organization_id, id),
  constraint group_intervals_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id),
  constraint group_intervals_check CHECK ((num_nonnulls(user_id, subgroup_id) = 1))
);
CREATE INDEX group_intervals_of_subgroup ON public.group_intervals USING btree (organization_id, group_id, subgroup_id) WHERE (subgroup_id IS NOT NULL);
CREATE INDEX group_intervals_of_user ON public.group_intervals USING btree (organization_id, group_id, user_id) WHERE (user_id IS NOT NULL);

create table group_members (
  organization_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  constraint group_members_pkey PRIMARY KEY (organization_id, group_id, user_id),
  constraint group_members_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES groups(organization_id, id),
  constraint group_members_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table group_subgroups (
  organization_id bigint not null,
  group_id bigint not null,
  subgroup_id bigint not null,
  constraint group_subgroups_pkey PRIMARY KEY (organization_id, group_id, subgroup_id),
  constraint group_subgroups_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES groups(organization_id, id),
  constraint group_subgroups_organization_id_subgroup_id_fkey FOREIGN KEY (organization_id, subgroup_id) REFERENCES groups(organization_id, id)
);

create table groups (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  name text not null,
  description text default ''::text not null,
  system_role smallint,
  creator_id bigint,
  settings jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  deactivated_at timestamp with time zone,
  constraint groups_pkey PRIMARY KEY (organization_id, id),
  constraint groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX groups_folded_name ON public.groups USING btree (organization_id, fold_name(name));
CREATE UNIQUE INDEX groups_name ON public.groups USING btree (organization_id, lower(name));

create table guest_contacts (
  organization_id bigint not null,
  guest_id bigint not null,
  user_id bigint not null,
  constraint guest_contacts_pkey PRIMARY KEY (organization_id, guest_id, user_id),
  constraint guest_contacts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint guest_contacts_organization_id_guest_id_fkey FOREIGN KEY (organization_id, guest_id) REFERENCES users(organization_id, id),
  constraint guest_contacts_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table import_sources (
  organization_id bigint not null,
  source text not null,
  kind text not null,
  source_id text not null,
  id bigint not null,
  constraint import_sources_pkey PRIMARY KEY (organization_id, source, kind, source_id),
  constraint import_sources_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table imports (
  organization_id bigint not null,
  source text not null,
  archive text not null,
  step text not null,
  messages bigint default 0 not null,
  started_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint imports_pkey PRIMARY KEY (organization_id),
  constraint imports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table incoming_deliveries (
  organization_id bigint not null,
  user_id bigint not null,
  digest bytea not null,
  received_at timestamp with time zone default now() not null,
  constraint incoming_deliveries_pkey PRIMARY KEY (organization_id, user_id, digest),
  constraint incoming_deliveries_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE INDEX incoming_deliveries_age ON public.incoming_deliveries USING btree (received_at);

create table invitation_days (
  organization_id bigint not null,
  day date not null,
  used integer not null,
  constraint invitation_days_pkey PRIMARY KEY (organization_id),
  constraint invitation_days_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table invitations (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  inviter_id bigint not null,
  parent_id bigint,
  email text,
  token_hash bytea not null,
  encrypted_token bytea,
  role smallint not null,
  channel_ids bigint[] not null,
  group_ids bigint[] not null,
  joins_default_channels boolean not null,
  notifies_inviter boolean not null,
  welcome_text text,
  is_by_operator boolean not null,
  invited_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone,
  reminded_at timestamp with time zone,
  reminder_token_hash bytea,
  constraint invitations_pkey PRIMARY KEY (organization_id, id),
  constraint invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint invitations_organization_id_inviter_id_fkey FOREIGN KEY (organization_id, inviter_id) REFERENCES users(organization_id, id),
  constraint invitations_organization_id_parent_id_fkey FOREIGN KEY (organization_id, parent_id) REFERENCES invitations(organization_id, id) ON DELETE CASCADE,
  constraint invitations_check CHECK (((email IS NOT NULL) OR (encrypted_token IS NOT NULL)))
);
CREATE UNIQUE INDEX invitations_of_address ON public.invitations USING btree (organization_id, inviter_id, COALESCE(parent_id, (0)::bigint), lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX invitations_parent ON public.invitations USING btree (organization_id, parent_id) WHERE (parent_id IS NOT NULL);
CREATE UNIQUE INDEX invitations_reminder_token ON public.invitations USING btree (organization_id, reminder_token_hash) WHERE (reminder_token_hash IS NOT NULL);
CREATE UNIQUE INDEX invitations_token ON public.invitations USING btree (organization_id, token_hash);

create table known_devices (
  organization_id bigint not null,
  user_id bigint not null,
  device_hash bytea not null,
  seen_at timestamp with time zone default now() not null,
  constraint known_devices_pkey PRIMARY KEY (organization_id, user_id, device_hash),
  constraint known_devices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint known_devices_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table last_mail (
  is_only boolean default true not null,
  sent_at timestamp with time zone not null,
  constraint last_mail_pkey PRIMARY KEY (is_only),
  constraint last_mail_is_only_check CHECK (is_only)
);

create table linkifiers (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  pattern text not null,
  url_template text not null,
  sort_order integer not null,
  constraint linkifiers_pkey PRIMARY KEY (organization_id, id),
  constraint linkifiers_organization_id_pattern_key UNIQUE (organization_id, pattern),
  constraint linkifiers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table log_positions (
  organization_id bigint not null,
  id bigint not null,
  "position" bigint not null,
  constraint log_positions_pkey PRIMARY KEY (organization_id, id)
);

create table log_timeline (
  is_only boolean default true not null,
  timeline text not null,
  place text,
  constraint log_timeline_pkey PRIMARY KEY (is_only),
  constraint log_timeline_is_only_check CHECK (is_only)
);

create table mail_warnings (
  organization_id bigint not null,
  told_at timestamp with time zone default now() not null,
  constraint mail_warnings_pkey PRIMARY KEY (organization_id),
  constraint mail_warnings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table mailed_codes (
  organization_id bigint not null,
  token_hash bytea not null,
  purpose text not null,
  user_id bigint,
  email text not null,
  password_hash text,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  by_operator boolean default false not null,
  constraint mailed_codes_pkey PRIMARY KEY (organization_id, token_hash),
  constraint mailed_codes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint mailed_codes_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id),
  constraint mailed_codes_check CHECK (((user_id IS NULL) = (purpose = 'sign-up'::text))),
  constraint mailed_codes_purpose_check CHECK ((purpose = ANY (ARRAY['password'::text, 'email'::text, 'sign-up'::text])))
);
CREATE INDEX mailed_codes_address ON public.mailed_codes USING btree (organization_id, lower(email), purpose);
CREATE INDEX mailed_codes_expiry ON public.mailed_codes USING btree (expires_at);
CREATE INDEX mailed_codes_user ON public.mailed_codes USING btree (organization_id, user_id) WHERE (user_id IS NOT NULL);

create table mails (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  encrypted bytea not null,
  queued_at timestamp with time zone default clock_timestamp() not null,
  kept_at timestamp with time zone,
  kind text,
  recipient text,
  attempts integer default 0 not null,
  last_attempt_at timestamp with time zone,
  last_answer text,
  refused_at timestamp with time zone,
  told_at timestamp with time zone,
  constraint mails_pkey PRIMARY KEY (organization_id, id),
  constraint mails_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX mails_queued ON public.mails USING btree (queued_at);

create table message_edits (
  organization_id bigint not null,
  message_id bigint not null,
  id bigint generated always as identity not null,
  editor_id bigint not null,
  edited_at timestamp with time zone not null,
  previous_content text,
  previous_rendered_content text,
  previous_topic text,
  topic text,
  previous_channel_id bigint,
  channel_id bigint,
  previous_topic_id bigint,
  constraint message_edits_pkey PRIMARY KEY (organization_id, message_id, id)
);

create table message_expiries (
  organization_id bigint not null,
  looked_at timestamp with time zone not null,
  waits_until timestamp with time zone not null,
  policy jsonb not null,
  holds jsonb not null,
  constraint message_expiries_pkey PRIMARY KEY (organization_id),
  constraint message_expiries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table message_flags (
  organization_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  flags integer not null,
  constraint message_flags_pkey PRIMARY KEY (organization_id, user_id, message_id)
);
CREATE INDEX message_flags_of_message ON public.message_flags USING btree (organization_id, message_id);
CREATE INDEX message_flags_starred ON public.message_flags USING btree (organization_id, user_id, message_id) WHERE ((flags & 1) <> 0);

create table message_uploads (
  organization_id bigint not null,
  upload_id bigint not null,
  message_id bigint not null,
  sent_at timestamp with time zone not null,
  constraint message_uploads_pkey PRIMARY KEY (organization_id, upload_id, message_id),
  constraint message_uploads_organization_id_upload_id_fkey FOREIGN KEY (organization_id, upload_id) REFERENCES uploads(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX message_uploads_of_message ON public.message_uploads USING btree (organization_id, message_id);

create table messages (
  organization_id bigint not null,
  id bigint not null,
  recipient_id bigint not null,
  topic_id bigint,
  sender_id bigint not null,
  client text not null,
  sent_at timestamp with time zone not null,
  facts integer not null,
  content text not null,
  rendered_content text not null,
  mentioned_group_ids bigint[],
  local_queue_id uuid,
  local_id text,
  edited_at timestamp with time zone,
  moved_at timestamp with time zone,
  mentioned_group_positions bigint[],
  constraint messages_pkey PRIMARY KEY (organization_id, id)
) with (autovacuum_vacuum_insert_scale_factor=0.01);
CREATE INDEX messages_of_recipient ON public.messages USING btree (organization_id, recipient_id, id);
CREATE INDEX messages_of_sender ON public.messages USING btree (organization_id, sender_id, id);
CREATE INDEX messages_of_topic ON public.messages USING btree (organization_id, topic_id, id) WHERE (topic_id IS NOT NULL);
CREATE INDEX messages_read_notices ON public.messages USING btree (organization_id, id) WHERE ((facts & 256) <> 0);
CREATE INDEX messages_to_many ON public.messages USING btree (organization_id, id) WHERE (((facts & 3) <> 0) OR (mentioned_group_ids IS NOT NULL));
CREATE INDEX messages_with_attachment ON public.messages USING btree (organization_id, recipient_id, id) WHERE ((facts & 64) <> 0);
CREATE INDEX messages_with_image ON public.messages USING btree (organization_id, recipient_id, id) WHERE ((facts & 32) <> 0);
CREATE INDEX messages_with_link ON public.messages USING btree (organization_id, recipient_id, id) WHERE ((facts & 16) <> 0);

create table migrations (
  id integer not null,
  name text not null,
  applied_at timestamp with time zone default now() not null,
  compatible_from integer,
  constraint migrations_pkey PRIMARY KEY (id)
);

create table missed_message_cursors (
  organization_id bigint not null,
  "position" bigint not null,
  constraint missed_message_cursors_pkey PRIMARY KEY (organization_id),
  constraint missed_message_cursors_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table missed_messages (
  organization_id bigint not null,
  user_id bigint not null,
  "position" bigint not null,
  message_ids bigint[] not null,
  news_since timestamp with time zone[] not null,
  due_at timestamp with time zone not null,
  sent_at timestamp with time zone not null,
  constraint missed_messages_pkey PRIMARY KEY (organization_id, user_id, "position")
);
CREATE INDEX missed_messages_due ON public.missed_messages USING btree (due_at);

create table muted_users (
  organization_id bigint not null,
  user_id bigint not null,
  muted_user_id bigint not null,
  muted_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint muted_users_pkey PRIMARY KEY (organization_id, user_id, muted_user_id),
  constraint muted_users_organization_id_muted_user_id_fkey FOREIGN KEY (organization_id, muted_user_id) REFERENCES users(organization_id, id),
  constraint muted_users_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table navigation_views (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint generated always as identity not null,
  fragment text not null,
  is_pinned boolean not null,
  name text,
  constraint navigation_views_pkey PRIMARY KEY (organization_id, user_id, id),
  constraint navigation_views_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE UNIQUE INDEX navigation_views_fragment ON public.navigation_views USING btree (organization_id, user_id, md5(fragment));

create table old_read_states (
  organization_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  constraint old_read_states_pkey PRIMARY KEY (organization_id, user_id, channel_id)
);

create table organization_invitations (
  token_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone,
  email text,
  network text,
  constraint organization_invitations_pkey PRIMARY KEY (token_hash),
  constraint organization_invitations_mailed CHECK (((email IS NULL) = (network IS NULL)))
);

create table organization_logs (
  organization_id bigint not null,
  head bigint default 0 not null,
  state_head bigint default 0 not null,
  epoch uuid default gen_random_uuid() not null,
  stretch bigint generated always as ((head / 1024)) stored not null,
  constraint organization_logs_pkey PRIMARY KEY (organization_id, stretch),
  constraint organization_logs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
) with (fillfactor=10);

create table organizations (
  id bigint generated always as identity not null,
  host text not null,
  name text not null,
  settings jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  deactivated_at timestamp with time zone,
  default_user_settings jsonb default '{}'::jsonb not null,
  icon_file text,
  logo_file text,
  night_logo_file text,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_host_key UNIQUE (host)
);

create table own_data_copies (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  user_id bigint not null,
  status text default 'pending'::text not null,
  requested_at timestamp with time zone default now() not null,
  starts integer default 0 not null,
  run_id uuid,
  active_at timestamp with time zone default now() not null,
  progress smallint default 0 not null,
  failure_reason text,
  ended_at timestamp with time zone,
  file_key text,
  constraint own_data_copies_pkey PRIMARY KEY (organization_id, id),
  constraint own_data_copies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint own_data_copies_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id),
  constraint own_data_copies_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text, 'deleted'::text])))
);
CREATE INDEX own_data_copies_of_user ON public.own_data_copies USING btree (organization_id, user_id, id);
CREATE UNIQUE INDEX own_data_copies_pending ON public.own_data_copies USING btree (organization_id, user_id) WHERE (status = 'pending'::text);
CREATE INDEX own_data_copies_with_file ON public.own_data_copies USING btree (ended_at) WHERE (file_key IS NOT NULL);

create table partial_uploads (
  organization_id bigint not null,
  id text not null,
  owner_id bigint not null,
  file_name text not null,
  length bigint not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  writer text,
  writer_until timestamp with time zone,
  upload_path text,
  constraint partial_uploads_pkey PRIMARY KEY (organization_id, id),
  constraint partial_uploads_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint partial_uploads_organization_id_owner_id_fkey FOREIGN KEY (organization_id, owner_id) REFERENCES users(organization_id, id)
);
CREATE INDEX partial_uploads_created ON public.partial_uploads USING btree (created_at);
CREATE INDEX partial_uploads_of_owner ON public.partial_uploads USING btree (organization_id, owner_id) WHERE (upload_path IS NULL);

create table passkey_challenges (
  organization_id bigint not null,
  challenge text not null,
  purpose text not null,
  browser_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (organization_id, challenge),
  constraint passkey_challenges_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['registration'::text, 'sign-in'::text])))
);
CREATE INDEX passkey_challenges_browser ON public.passkey_challenges USING btree (organization_id, browser_hash);
CREATE INDEX passkey_challenges_expiry ON public.passkey_challenges USING btree (expires_at);

create table passkeys (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  user_id bigint not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (organization_id, id),
  constraint passkeys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint passkeys_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE UNIQUE INDEX passkeys_credential ON public.passkeys USING btree (organization_id, credential_id);
CREATE INDEX passkeys_user ON public.passkeys USING btree (organization_id, user_id);

create table pending_sign_ins (
  organization_id bigint not null,
  token_hash bytea not null,
  user_id bigint not null,
  password_hash text not null,
  expires_at timestamp with time zone not null,
  constraint pending_sign_ins_pkey PRIMARY KEY (organization_id, token_hash),
  constraint pending_sign_ins_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint pending_sign_ins_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE INDEX pending_sign_ins_expiry ON public.pending_sign_ins USING btree (expires_at);
CREATE INDEX pending_sign_ins_user ON public.pending_sign_ins USING btree (organization_id, user_id);

create table playgrounds (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  name text not null,
  language text not null,
  url_template text not null,
  constraint playgrounds_pkey PRIMARY KEY (organization_id, id),
  constraint playgrounds_organization_id_language_name_key UNIQUE (organization_id, language, name),
  constraint playgrounds_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table presences (
  organization_id bigint not null,
  user_id bigint not null,
  last_active_at timestamp with time zone,
  last_connected_at timestamp with time zone not null,
  update_id bigint not null,
  constraint presences_pkey PRIMARY KEY (organization_id, user_id),
  constraint presences_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE INDEX presences_update ON public.presences USING btree (organization_id, update_id);

create table profile_field_values (
  organization_id bigint not null,
  user_id bigint not null,
  field_id bigint not null,
  value text not null,
  rendered_value text,
  constraint profile_field_values_pkey PRIMARY KEY (organization_id, user_id, field_id),
  constraint profile_field_values_organization_id_field_id_fkey FOREIGN KEY (organization_id, field_id) REFERENCES profile_fields(organization_id, id) ON DELETE CASCADE,
  constraint profile_field_values_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE INDEX profile_field_values_of_field ON public.profile_field_values USING btree (organization_id, field_id);

create table profile_fields (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  type smallint not null,
  name text not null,
  hint text not null,
  field_data text not null,
  sort_order integer not null,
  is_required boolean not null,
  is_editable_by_user boolean not null,
  is_in_summary boolean not null,
  constraint profile_fields_pkey PRIMARY KEY (organization_id, id),
  constraint profile_fields_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table quota_usage (
  organization_id bigint not null,
  user_id bigint not null,
  quota text not null,
  used integer not null,
  window_started_at timestamp with time zone default now() not null,
  constraint quota_usage_pkey PRIMARY KEY (organization_id, user_id, quota),
  constraint quota_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint quota_usage_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table reactions (
  organization_id bigint not null,
  message_id bigint not null,
  id bigint generated always as identity not null,
  user_id bigint not null,
  reaction_type text not null,
  emoji_code text not null,
  emoji_name text not null,
  constraint reactions_pkey PRIMARY KEY (organization_id, message_id, id)
);
CREATE INDEX reactions_of_user ON public.reactions USING btree (organization_id, user_id, message_id);
CREATE UNIQUE INDEX reactions_once ON public.reactions USING btree (organization_id, message_id, user_id, reaction_type, emoji_code);

create table read_states (
  organization_id bigint not null,
  user_id bigint not null,
  recipient_id bigint not null,
  ranges int8multirange not null,
  marked_unread int8multirange default '{}'::int8multirange not null,
  constraint read_states_pkey PRIMARY KEY (organization_id, user_id, recipient_id)
) with (fillfactor=70);
CREATE INDEX read_states_of_recipient ON public.read_states USING btree (organization_id, recipient_id, user_id);

create table recovery_codes (
  organization_id bigint not null,
  user_id bigint not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (organization_id, user_id, code_hash),
  constraint recovery_codes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint recovery_codes_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table reminders (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  user_id bigint not null,
  message_id bigint not null,
  note text not null,
  content text not null,
  rendered_content text not null,
  deliver_at timestamp with time zone not null,
  constraint reminders_pkey PRIMARY KEY (organization_id, id),
  constraint reminders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint reminders_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE INDEX reminders_of_user ON public.reminders USING btree (organization_id, user_id, deliver_at);

create table saved_snippets (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint generated always as identity not null,
  title text not null,
  content text not null,
  created_at timestamp with time zone default now() not null,
  constraint saved_snippets_pkey PRIMARY KEY (organization_id, user_id, id),
  constraint saved_snippets_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table scheduled_messages (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  sender_id bigint not null,
  channel_id bigint,
  topic text,
  user_ids bigint[],
  content text not null,
  rendered_content text not null,
  client text not null,
  read_by_sender boolean not null,
  deliver_at timestamp with time zone not null,
  is_failed boolean default false not null,
  constraint scheduled_messages_pkey PRIMARY KEY (organization_id, id),
  constraint scheduled_messages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint scheduled_messages_organization_id_sender_id_fkey FOREIGN KEY (organization_id, sender_id) REFERENCES users(organization_id, id),
  constraint scheduled_messages_check CHECK (((num_nonnulls(channel_id, user_ids) = 1) AND ((channel_id IS NULL) = (topic IS NULL))))
);
CREATE INDEX scheduled_messages_of_channel ON public.scheduled_messages USING btree (organization_id, channel_id) WHERE (channel_id IS NOT NULL);
CREATE INDEX scheduled_messages_of_sender ON public.scheduled_messages USING btree (organization_id, sender_id, deliver_at);

create table search_cursors (
  organization_id bigint not null,
  "position" bigint not null,
  followed_to bigint default 0 not null,
  gaps int8multirange default '{}'::int8multirange not null,
  without_pairs int8multirange default '{}'::int8multirange not null,
  pruned_to text,
  prunes_again boolean default false not null,
  constraint search_cursors_pkey PRIMARY KEY (organization_id),
  constraint search_cursors_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table search_outdated (
  organization_id bigint not null,
  message_id bigint not null,
  constraint search_outdated_pkey PRIMARY KEY (organization_id, message_id),
  constraint search_outdated_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table search_vocabulary (
  organization_id bigint not null,
  word text not null,
  parts text[] not null,
  message_id bigint,
  constraint search_vocabulary_pkey PRIMARY KEY (organization_id, word)
);
CREATE INDEX search_vocabulary_by_part ON public.search_vocabulary USING gin (parts);

create table search_words (
  organization_id bigint not null,
  message_id bigint not null,
  words tsvector not null,
  constraint search_words_pkey PRIMARY KEY (organization_id, message_id)
);
CREATE INDEX search_words_by_word ON public.search_words USING gin (words);

create table secret_check (
  is_only boolean default true not null,
  value bytea not null,
  constraint secret_check_pkey PRIMARY KEY (is_only),
  constraint secret_check_is_only_check CHECK (is_only)
);

create table seen_onboarding_steps (
  organization_id bigint not null,
  user_id bigint not null,
  name text not null,
  seen_at timestamp with time zone default now() not null,
  constraint seen_onboarding_steps_pkey PRIMARY KEY (organization_id, user_id, name),
  constraint seen_onboarding_steps_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table sessions (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  user_id bigint not null,
  token_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  device text not null,
  network text not null,
  signed_in_by text default 'password'::text not null,
  proved_at timestamp with time zone default now() not null,
  step_proved_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (organization_id, id),
  constraint sessions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint sessions_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id),
  constraint sessions_signed_in_by_check CHECK ((signed_in_by = ANY (ARRAY['password'::text, 'second step'::text, 'passkey'::text, 'provider'::text])))
);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE UNIQUE INDEX sessions_token ON public.sessions USING btree (organization_id, token_hash);
CREATE INDEX sessions_user ON public.sessions USING btree (organization_id, user_id);

create table sign_in_attempts (
  organization_id bigint not null,
  subject text not null,
  attempts integer not null,
  window_started_at timestamp with time zone not null,
  blocked_until timestamp with time zone,
  constraint sign_in_attempts_pkey PRIMARY KEY (organization_id, subject),
  constraint sign_in_attempts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table sign_in_networks (
  organization_id bigint not null,
  user_id bigint not null,
  network_hash bytea not null,
  last_used_at timestamp with time zone default now() not null,
  constraint sign_in_networks_pkey PRIMARY KEY (organization_id, user_id, network_hash),
  constraint sign_in_networks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint sign_in_networks_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table sign_in_steps (
  organization_id bigint not null,
  token_hash bytea not null,
  encrypted_data bytea,
  expires_at timestamp with time zone not null,
  constraint sign_in_steps_pkey PRIMARY KEY (organization_id, token_hash),
  constraint sign_in_steps_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX sign_in_steps_expiry ON public.sign_in_steps USING btree (expires_at);

create table statistics_channel_days (
  organization_id bigint not null,
  day date not null,
  channel_id bigint not null,
  messages bigint not null,
  constraint statistics_channel_days_pkey PRIMARY KEY (organization_id, day, channel_id),
  constraint statistics_channel_days_organization_id_channel_id_fkey FOREIGN KEY (organization_id, channel_id) REFERENCES channels(organization_id, id)
);

create table statistics_cursors (
  organization_id bigint not null,
  "position" bigint default 0 not null,
  counted_at timestamp with time zone,
  active_since date not null,
  constraint statistics_cursors_pkey PRIMARY KEY (organization_id),
  constraint statistics_cursors_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table statistics_days (
  organization_id bigint not null,
  day date not null,
  public_messages bigint default 0 not null,
  private_messages bigint default 0 not null,
  direct_messages bigint default 0 not null,
  bot_messages bigint default 0 not null,
  active_people integer,
  active_people_7_days integer,
  active_people_28_days integer,
  owners integer,
  administrators integer,
  moderators integer,
  members integer,
  guests integer,
  deactivated_people integer,
  bots integer,
  public_channels integer,
  private_channels integer,
  archived_channels integer,
  upload_bytes bigint,
  constraint statistics_days_pkey PRIMARY KEY (organization_id, day),
  constraint statistics_days_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table submessages (
  organization_id bigint not null,
  message_id bigint not null,
  id bigint generated always as identity not null,
  sender_id bigint not null,
  kind text not null,
  content text not null,
  constraint submessages_pkey PRIMARY KEY (organization_id, message_id, id)
);

create table subscription_preferences (
  organization_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  color text,
  is_muted boolean default false not null,
  is_pinned boolean default false not null,
  desktop_notifications boolean,
  audible_notifications boolean,
  push_notifications boolean,
  email_notifications boolean,
  wildcard_mentions_notify boolean,
  constraint subscription_preferences_pkey PRIMARY KEY (organization_id, user_id, channel_id),
  constraint subscription_preferences_organization_id_channel_id_fkey FOREIGN KEY (organization_id, channel_id) REFERENCES channels(organization_id, id),
  constraint subscription_preferences_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE INDEX subscription_preferences_with_mail ON public.subscription_preferences USING btree (organization_id, channel_id) WHERE ((email_notifications IS NOT NULL) OR (wildcard_mentions_notify IS NOT NULL));

create table subscriptions (
  organization_id bigint not null,
  channel_id bigint not null,
  user_id bigint not null,
  from_position_ref bigint not null,
  to_position_ref bigint,
  constraint subscriptions_organization_id_channel_id_fkey FOREIGN KEY (organization_id, channel_id) REFERENCES channels(organization_id, id),
  constraint subscriptions_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE UNIQUE INDEX subscriptions_current ON public.subscriptions USING btree (organization_id, channel_id, user_id) WHERE (to_position_ref IS NULL);
CREATE INDEX subscriptions_of_user ON public.subscriptions USING btree (organization_id, user_id, channel_id);

create table topic_policies (
  organization_id bigint not null,
  user_id bigint not null,
  topic_id bigint not null,
  policy smallint not null,
  updated_at timestamp with time zone default now() not null,
  constraint topic_policies_pkey PRIMARY KEY (organization_id, user_id, topic_id),
  constraint topic_policies_organization_id_topic_id_fkey FOREIGN KEY (organization_id, topic_id) REFERENCES topics(organization_id, id),
  constraint topic_policies_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);
CREATE INDEX topic_policies_of_topic ON public.topic_policies USING btree (organization_id, topic_id);

create table topic_read_states (
  organization_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  topic_id bigint not null,
  ranges int8multirange default '{}'::int8multirange not null,
  gaps int8multirange default '{}'::int8multirange not null,
  marked_unread int8multirange default '{}'::int8multirange not null,
  constraint topic_read_states_pkey PRIMARY KEY (organization_id, user_id, channel_id, topic_id)
) with (fillfactor=70);
CREATE INDEX topic_read_states_of_topic ON public.topic_read_states USING btree (organization_id, topic_id, user_id);
CREATE INDEX topic_read_states_with_gaps ON public.topic_read_states USING btree (organization_id, user_id, channel_id) WHERE (NOT isempty(gaps));

create table topics (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  channel_id bigint not null,
  name text not null,
  constraint topics_pkey PRIMARY KEY (organization_id, id),
  constraint topics_organization_id_channel_id_fkey FOREIGN KEY (organization_id, channel_id) REFERENCES channels(organization_id, id)
);
CREATE INDEX topics_folded_name ON public.topics USING btree (organization_id, channel_id, fold_name(name));
CREATE UNIQUE INDEX topics_name ON public.topics USING btree (organization_id, channel_id, lower(name));
CREATE INDEX topics_resolved ON public.topics USING btree (organization_id, channel_id) WHERE starts_with(name, '✔ '::text);

create table totp_secrets (
  organization_id bigint not null,
  user_id bigint not null,
  secret bytea not null,
  created_at timestamp with time zone default now() not null,
  confirmed_at timestamp with time zone,
  last_step bigint default 0 not null,
  constraint totp_secrets_pkey PRIMARY KEY (organization_id, user_id),
  constraint totp_secrets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint totp_secrets_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table upload_space (
  organization_id bigint not null,
  used bigint not null,
  constraint upload_space_pkey PRIMARY KEY (organization_id),
  constraint upload_space_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table uploads (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  owner_id bigint not null,
  path text not null,
  storage_key text not null,
  file_name text not null,
  content_type text not null,
  size bigint not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  image jsonb,
  unlinked_since timestamp with time zone default clock_timestamp(),
  constraint uploads_pkey PRIMARY KEY (organization_id, id),
  constraint uploads_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint uploads_organization_id_owner_id_fkey FOREIGN KEY (organization_id, owner_id) REFERENCES users(organization_id, id)
);
CREATE INDEX uploads_of_owner ON public.uploads USING btree (organization_id, owner_id, id);
CREATE UNIQUE INDEX uploads_path ON public.uploads USING btree (organization_id, path);
CREATE INDEX uploads_unlinked ON public.uploads USING btree (unlinked_since) WHERE (unlinked_since IS NOT NULL);

create table user_statuses (
  organization_id bigint not null,
  user_id bigint not null,
  status_text text not null,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  constraint user_statuses_pkey PRIMARY KEY (organization_id, user_id),
  constraint user_statuses_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id)
);

create table users (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  email text not null,
  full_name text not null,
  role smallint not null,
  bot_type smallint,
  bot_owner_id bigint,
  password_hash text,
  timezone text default 'UTC'::text not null,
  last_active_at timestamp with time zone,
  avatar_version integer default 1 not null,
  settings jsonb default '{}'::jsonb not null,
  joined_at timestamp with time zone default now() not null,
  deactivated_at timestamp with time zone,
  is_system boolean default false not null,
  can_change_emails boolean default false not null,
  avatar_file text,
  password_mailed_at timestamp with time zone,
  erased_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (organization_id, id),
  constraint users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX users_email ON public.users USING btree (organization_id, lower(email));

create table webhook_deliveries (
  organization_id bigint not null,
  id bigint generated always as identity not null,
  bot_id bigint not null,
  message_id bigint not null,
  trigger text not null,
  tries integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (organization_id, id),
  constraint webhook_deliveries_organization_id_bot_id_fkey FOREIGN KEY (organization_id, bot_id) REFERENCES users(organization_id, id),
  constraint webhook_deliveries_trigger_check CHECK ((trigger = ANY (ARRAY['direct_message'::text, 'mention'::text])))
);
