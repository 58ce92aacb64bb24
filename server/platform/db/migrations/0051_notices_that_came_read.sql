-- What is unread is counted by the index of topics alone. These few messages are left out of it (bit 256 of facts).
create index messages_read_notices on messages (organization_id, id) where facts & 256 <> 0;
