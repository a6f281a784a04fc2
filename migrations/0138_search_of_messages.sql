-- The words of a message, each behind `w` and `begins`, in small letters and without accents; each Chinese character and Japanese kana is a word.
-- The letter keeps the parser from taking what follows for a number. Words end after 64 characters: normalizing puts marks in order, which takes
-- quadratic time for a long run of them.
create function search_vector(begins text, text text) returns tsvector language sql immutable parallel safe as $$
  select to_tsvector('pg_catalog.simple', 'w' || begins || replace(translate(
    case when octet_length(text) = length(text) then lower(text collate pg_c_utf8)
      else regexp_replace(
        lower(regexp_replace(normalize(regexp_replace(text, '(\S{64})', '\1 ', 'g'), NFKD), '[\u0300-\u036f\u3099\u309a]', '', 'g') collate pg_c_utf8),
        '([\u3040-\u30ff\u3400-\u9fff])', ' \1 ', 'g') end,
    E'\n\t\r!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~“”„‟‘’‚‛«»‹›–—‐‑―•·¿¡、。「」『』《》〈〉',
    repeat(' ', 66)), ' ', ' w' || begins))
$$;

-- Words by account and time: a search reads back from the latest three days, and nothing of other accounts. A list of what is pending would be
-- read by each search, and written to the index by whoever fills it.
select build_index('messages_words', 'messages',
  'using gin (search_vector(right(account_id::text, 8) || left(id::text, 5), text)) with (fastupdate = off)');
