-- The stars of a person, among many more flags on messages that mention them. They are announced to people who can read
-- the messages again. A send adds nothing to this index.
create index message_flags_starred on message_flags (organization_id, user_id, message_id) where flags & 1 <> 0;
