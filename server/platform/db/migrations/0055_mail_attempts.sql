-- What became of a mail so far, for those who run the server. Mails of an earlier release have no kind and no
-- recipient here.
alter table mails
  add column kind text,
  -- Masked, such as b…@ex.test. The address itself is in the encrypted mail alone.
  add column recipient text,
  add column attempts integer not null default 0,
  add column last_attempt_at timestamptz,
  -- The words of the mail server, without addresses.
  add column last_answer text,
  -- The mail server refused it for good: it is not tried again unless an operator asks.
  add column refused_at timestamptz,
  -- The person who caused it was told that it did not arrive.
  add column told_at timestamptz;

-- When the newest mail left, to within some minutes.
create table last_mail (
  is_only boolean primary key default true check (is_only),
  sent_at timestamptz not null
);

-- When the owners of an organization were last told that mails wait.
create table mail_warnings (
  organization_id bigint primary key references organizations (id),
  told_at timestamptz not null default now()
);
