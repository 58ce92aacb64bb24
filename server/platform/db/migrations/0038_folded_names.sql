-- What foldName of api/fold-name.ts does: equal for names of the same channel, group or topic. The format
-- characters that are deleted are those of api/format-characters.ts.
create function fold_name(name text) returns text language sql immutable parallel safe as $$
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
$$;

-- Not unique: names that were different before may be equal now. Which of them a name means, the statements
-- decide: the one with the lowest id. Old nodes go on with the indexes on lower(name), which stay unique.
create index topics_folded_name on topics (organization_id, channel_id, fold_name(name));
create index channels_folded_name on channels (organization_id, fold_name(name));
create index groups_folded_name on groups (organization_id, fold_name(name));
create index default_channel_groups_folded_name on default_channel_groups (organization_id, fold_name(name));
