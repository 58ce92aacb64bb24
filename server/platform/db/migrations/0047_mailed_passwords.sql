-- When a password was last set by a link in a mail. For a day it is no proof for giving somebody a high role.
alter table users add column password_mailed_at timestamptz;
