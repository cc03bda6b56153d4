-- taisce.message_input(content, role, subject, kind, title), taisce.claim_input(claim_text,
-- content,
-- ...), taisce.fact_input(...), taisce.entity_input(...), taisce.report_input(title, summary)
-- The text that stands for an item when its vector is made, input version 1. Who speaks belongs to
-- what is said: a message that begins "Name: " says it itself, else the data subject of a user, the
-- title of a document or the role stands before it.
-- Returns: one text.   Runs as: invoker.   Since: 0.1

create or replace function taisce.speaker_of(
    content text,
    role text,
    subject text,
    kind text,
    title text
)
returns text
language sql
immutable
parallel safe
as $func$
    select case
        when strpos(left(content, 66), ': ') > 1
            and strpos(split_part(content, ': ', 1), E'\n') = 0
            then split_part(content, ': ', 1)
        when kind = 'document' and title is not null then title
        when role = 'user' and subject is not null then subject
        else role
    end
$func$;
comment on function taisce.speaker_of(text, text, text, text, text) is
'Who says a message: the name it begins with, the subject, the document, or the role.';
revoke all on function taisce.speaker_of(text, text, text, text, text) from public;

create or replace function taisce.message_input(
    content text,
    role text,
    subject text,
    kind text,
    title text
)
returns text
language sql
immutable
parallel safe
as $func$
    select case
        when starts_with(content, s.speaker || ': ') then content
        else s.speaker || ': ' || content
    end
    from (select taisce.speaker_of(content, role, subject, kind, title) as speaker) as s
$func$;
comment on function taisce.message_input(text, text, text, text, text) is
'The text that stands for a message when its vector is made.';
revoke all on function taisce.message_input(text, text, text, text, text) from public;

create or replace function taisce.claim_input(
    claim_text text,
    content text,
    role text,
    subject text,
    kind text,
    title text
)
returns text
language sql
immutable
parallel safe
as $func$
    select case
        when starts_with(claim_text, s.speaker) then claim_text
        else s.speaker || ': ' || claim_text
    end
    from (
        select taisce.speaker_of(coalesce(content, ''), role, subject, kind, title) as speaker
    ) as s
$func$;
comment on function taisce.claim_input(text, text, text, text, text, text) is
'The text that stands for a claim when its vector is made.';
revoke all on function taisce.claim_input(text, text, text, text, text, text) from public;

create or replace function taisce.fact_input(
    subject text,
    predicate text,
    object text,
    statement text
)
returns text
language sql
immutable
parallel safe
as $func$
    select concat_ws(' ', subject, replace(predicate, '_', ' '), object) || '. ' || statement
$func$;
comment on function taisce.fact_input(text, text, text, text) is
'The text that stands for a fact when its vector is made.';
revoke all on function taisce.fact_input(text, text, text, text) from public;

create or replace function taisce.entity_input(name text, entity_type text, profile text)
returns text
language sql
immutable
parallel safe
as $func$
    select name || coalesce(' (' || entity_type || ')', '') || coalesce('. ' || profile, '')
$func$;
comment on function taisce.entity_input(text, text, text) is
'The text that stands for an entity when its vector is made.';
revoke all on function taisce.entity_input(text, text, text) from public;

create or replace function taisce.report_input(title text, summary text)
returns text
language sql
immutable
parallel safe
as $func$
    select title || '. ' || summary
$func$;
comment on function taisce.report_input(text, text) is
'The text that stands for a report when its vector is made.';
revoke all on function taisce.report_input(text, text) from public;
