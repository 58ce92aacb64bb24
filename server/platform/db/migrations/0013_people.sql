-- Who can change email addresses could sign in as others, so the server's operator decides it.
alter table users add column can_change_emails boolean not null default false;
