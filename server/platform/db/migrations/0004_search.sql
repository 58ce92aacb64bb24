-- Finding messages: by their words, and by what is rare in them.

-- The words of each message and its topic, as the follower in server/features/search/ writes them a moment after the send. Beside
-- the words stand marks, which no word can be: where the message is, who sent it, and in which stretches of the log.
create table search_words (
  organization_id bigint not null,
  message_id bigint not null,
  words tsvector not null,
  primary key (organization_id, message_id)
);
create index search_words_by_word on search_words using gin (words);

-- How far in its log each organization's messages are indexed.
create table search_cursors (
  organization_id bigint primary key references organizations,
  position bigint not null
);

-- Every word that was ever indexed, with the groups of three letters in it: for finding words by a part of them.
create table search_vocabulary (
  organization_id bigint not null,
  word text not null,
  parts text[] not null,
  primary key (organization_id, word)
);
create index search_vocabulary_by_part on search_vocabulary using gin (parts);

-- What `has:` asks for (bits 16, 32 and 64 of facts), by channel and conversation.
create index messages_with_link on messages (organization_id, recipient_id, id) where facts & 16 <> 0;
create index messages_with_image on messages (organization_id, recipient_id, id) where facts & 32 <> 0;
create index messages_with_attachment on messages (organization_id, recipient_id, id) where facts & 64 <> 0;

create index topics_resolved on topics (organization_id, channel_id) where starts_with(name, '✔ ');
