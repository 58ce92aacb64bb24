-- Search: finds messages by their words, and by links, images and attachments.

-- The words of each message and its topic. The follower in server/features/search/ writes them a moment after
-- the send. The vector also contains filter terms, which can't be words: the recipient, the sender, and the
-- range of the log.
create table search_words (
  organization_id bigint not null,
  message_id bigint not null,
  words tsvector not null,
  primary key (organization_id, message_id)
);
create index search_words_by_word on search_words using gin (words);

-- The position in each organization's log up to which messages are indexed.
create table search_cursors (
  organization_id bigint primary key references organizations,
  position bigint not null
);

-- All words that were ever indexed, each with its groups of three letters, for finding words by a part of
-- them.
create table search_vocabulary (
  organization_id bigint not null,
  word text not null,
  parts text[] not null,
  primary key (organization_id, word)
);
create index search_vocabulary_by_part on search_vocabulary using gin (parts);

-- Messages for the search operator `has:` (bits 16, 32 and 64 of facts), by channel and conversation.
create index messages_with_link on messages (organization_id, recipient_id, id) where facts & 16 <> 0;
create index messages_with_image on messages (organization_id, recipient_id, id) where facts & 32 <> 0;
create index messages_with_attachment on messages (organization_id, recipient_id, id) where facts & 64 <> 0;

create index topics_resolved on topics (organization_id, channel_id) where starts_with(name, '✔ ');
