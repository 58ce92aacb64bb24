-- Uploaded pictures of people, bots and organizations: the name of the files, or null for none.
alter table users add column avatar_file text;
alter table organizations add column icon_file text;
alter table organizations add column logo_file text;
alter table organizations add column night_logo_file text;
