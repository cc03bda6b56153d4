"""What may be changed by hand in a small memory, and what is said of it."""

from __future__ import annotations

# Parts of every kind that a memory has.
TABLES = """\
create function taisce.note() returns trigger language plpgsql as 'begin return new; end';
create table taisce.thing (
    n int not null default 1, m text, k bigint,
    constraint thing_key primary key (n),
    constraint thing_m check (m <> ''),
    constraint thing_k unique (k)
);
create table taisce.part (
    n int references taisce.thing (n), at timestamptz not null, o int generated always as (n) stored
);
create table taisce.cut (n int not null, m int) partition by hash (n);
create table taisce.cut_0 partition of taisce.cut for values with (modulus 1, remainder 0);
create index thing_words on taisce.thing (m, k) where k > 0;
create index thing_sum on taisce.thing ((n + k));
create index cut_m on taisce.cut (m);
create statistics taisce.thing_both on n, k from taisce.thing;
create trigger noted before insert on taisce.thing for each row execute function taisce.note();
alter table taisce.thing enable row level security;
alter table taisce.thing force row level security;
create policy mine on taisce.thing for select to taisce_reader using (n > 0);
alter table taisce.thing alter column k set statistics 0;
alter table taisce.part set (fillfactor = 90);
alter index taisce.thing_sum alter column 1 set statistics 0;
comment on column taisce.thing.m is 'Words.';
comment on constraint thing_m on taisce.thing is 'Not blank.';
comment on index taisce.thing_sum is 'A sum.';
comment on trigger noted on taisce.thing is 'Notes.';
comment on policy mine on taisce.thing is 'Mine.';
comment on statistics taisce.thing_both is 'Both.';
create sequence taisce.number owned by taisce.thing.k;
create type taisce.mood as enum ('good', 'bad');
create type memory_v1.pair as (a int, b text);
grant usage on type memory_v1.pair to taisce_reader;
grant insert (m) on taisce.thing to taisce_writer;
"""


# What is done by hand (PREFIX stands for the prefix of the roles), and what is said of it.
MENDED: list[tuple[str, str]] = [
    # Functions
    ("create or replace function memory_v1.greet(who text) returns text language sql as 'select 1'",
     "function memory_v1.greet(text): definition changed"),
    ("alter function memory_v1.greet(text) volatile",
     "function memory_v1.greet(text): definition changed"),
    ("alter function memory_v1.greet(text) set work_mem = '1MB'",
     "function memory_v1.greet(text): definition changed"),
    ("alter function memory_v1.greet(text) security definer",
     "function memory_v1.greet(text): definition changed"),
    ("alter function memory_v1.greet(text) owner to PREFIX_other",
     "function memory_v1.greet(text): belongs to PREFIX_other, not to PREFIX_owner"),
    ("grant execute on function memory_v1.greet(text) to public",
     "function memory_v1.greet(text): privileges +public=EXECUTE"),
    ("grant execute on function memory_v1.greet(text) to PREFIX_other with grant option",
     "function memory_v1.greet(text): privileges +PREFIX_other=EXECUTE*"),
    ("revoke execute on function memory_v1.greet(text) from PREFIX_reader",
     "function memory_v1.greet(text): privileges -PREFIX_reader=EXECUTE"),
    ("revoke execute on function memory_v1.greet(text) from PREFIX_owner",
     "function memory_v1.greet(text): privileges +PREFIX_owner=-EXECUTE"),
    ("comment on function memory_v1.greet(text) is 'Says something.'",
     "function memory_v1.greet(text): comment changed"),
    ("comment on function memory_v1.greet(text) is null",
     "function memory_v1.greet(text): comment changed"),
    ("drop function memory_v1.greet(text) cascade", "function memory_v1.greet(text): missing"),
    ("create or replace function taisce.drift() returns table (class text, identity text,"
     " path text, change text, detail text, mend text) language sql as 'select 1, 2, 3, 4, 5, 6"
     " where false'", "function taisce.drift(): definition changed"),
    ("drop function taisce.installed_objects()", "function taisce.installed_objects(): missing"),
    # Views
    ("create or replace view memory_v1.greeting as select 'y' as word",
     "view memory_v1.greeting: definition changed"),
    ("create or replace view memory_v1.greeting as select memory_v1.greet('x') as word, 1 as more",
     "column more on memory_v1.greeting: added"),
    ("alter view memory_v1.greeting set (security_invoker = true)",
     "view memory_v1.greeting: definition changed"),
    ("alter view memory_v1.greeting owner to PREFIX_other",
     "view memory_v1.greeting: belongs to PREFIX_other, not to PREFIX_owner"),
    ("grant select on memory_v1.greeting to PREFIX_other",
     "view memory_v1.greeting: privileges +PREFIX_other=SELECT"),
    ("grant select (word) on memory_v1.greeting to public",
     "column word on memory_v1.greeting: privileges +public=SELECT"),
    ("comment on column memory_v1.greeting.word is 'A word.'",
     "column word on memory_v1.greeting: comment changed"),
    ("drop view memory_v1.greeting", "view memory_v1.greeting: missing"),
    ("create rule silent as on insert to memory_v1.greeting do instead nothing",
     "rule silent on memory_v1.greeting: added"),
    # Tables
    ("alter table taisce.thing disable row level security", "table taisce.thing: definition"),
    ("alter table taisce.thing no force row level security", "table taisce.thing: definition"),
    ("alter table taisce.part enable row level security", "table taisce.part: definition"),
    ("alter table taisce.part set (fillfactor = 50)", "table taisce.part: definition"),
    ("alter table taisce.part reset (fillfactor)", "table taisce.part: definition"),
    ("alter table taisce.thing set (autovacuum_enabled = off)", "table taisce.thing: definition"),
    ("alter table taisce.part set unlogged", "table taisce.part: definition"),
    ("alter table taisce.thing owner to PREFIX_other",
     "table taisce.thing: belongs to PREFIX_other, not to PREFIX_owner"),
    ("grant select on taisce.thing to PREFIX_reader",
     "table taisce.thing: privileges +PREFIX_reader=SELECT"),
    ("grant select on taisce.cut_0 to public", "table taisce.cut_0: privileges +public=SELECT"),
    ("revoke select on taisce.thing from PREFIX_owner",
     "table taisce.thing: privileges +PREFIX_owner=-SELECT"),
    ("comment on table taisce.thing is 'x'", "table taisce.thing: comment changed"),
    # Columns
    ("alter table taisce.thing alter column n set default 2",
     "column n on taisce.thing: definition changed now integer not null default 2"),
    ("alter table taisce.thing alter column n drop default", "column n on taisce.thing: def"),
    ("alter table taisce.part alter column at drop not null", "column at on taisce.part: def"),
    ("alter table taisce.part alter column n set not null", "column n on taisce.part: def"),
    ("alter table taisce.thing alter column k set statistics 500", "column k on taisce.thing: def"),
    ("alter table taisce.thing alter column k set statistics -1", "column k on taisce.thing: def"),
    ("grant select (m) on taisce.thing to public",
     "column m on taisce.thing: privileges +public=SELECT"),
    ("revoke insert (m) on taisce.thing from PREFIX_writer",
     "column m on taisce.thing: privileges -PREFIX_writer=INSERT"),
    ("comment on column taisce.thing.m is 'Other words.'", "column m on taisce.thing: comment"),
    # Constraints
    ("alter table taisce.thing drop constraint thing_m", "constraint thing_m on taisce.thing: mis"),
    ("alter table taisce.thing drop constraint thing_m, add constraint thing_m check (m <> 'a')",
     "constraint thing_m on taisce.thing: definition changed now CHECK"),
    ("alter table taisce.thing drop constraint thing_m, add constraint thing_m check (m <> '')"
     " not valid", "constraint thing_m on taisce.thing: definition changed"),
    ("alter table taisce.thing drop constraint thing_key cascade",
     "constraint thing_key on taisce.thing: missing"),
    ("alter table taisce.part drop constraint part_n_fkey",
     "constraint part_n_fkey on taisce.part: missing"),
    ("alter table taisce.part disable trigger all",
     "constraint part_n_fkey on taisce.part: definition changed"),
    ("alter table taisce.part alter constraint part_n_fkey deferrable",
     "constraint part_n_fkey on taisce.part: definition changed"),
    ("alter table taisce.part add constraint extra check (n > 0)",
     "constraint extra on taisce.part: added"),
    ("comment on constraint thing_m on taisce.thing is 'x'",
     "constraint thing_m on taisce.thing: comment changed"),
    # Indexes
    ("drop index taisce.thing_words", "index thing_words on taisce.thing: missing"),
    ("drop index taisce.thing_words; create index thing_words on taisce.thing (m)",
     "index thing_words on taisce.thing: definition changed"),
    ("drop index taisce.thing_sum; create index thing_sum on taisce.thing ((n + k))",
     "index thing_sum on taisce.thing: definition changed without statistics 0 of column 1"),
    ("drop index taisce.thing_sum; create index thing_sum on taisce.thing ((n + k), m)",
     "index thing_sum on taisce.thing: definition changed now CREATE INDEX"),
    ("drop index taisce.thing_sum", "index thing_sum on taisce.thing: missing"),
    ("drop index taisce.cut_m", "index cut_m on taisce.cut: missing"),
    ("drop index taisce.cut_m; create index cut_m on only taisce.cut (m)",
     "index cut_m on taisce.cut: definition changed now also invalid"),
    ("create index extra on taisce.thing (k, n)", "index extra on taisce.thing: added"),
    ("alter index taisce.thing_words set (fillfactor = 50)",
     "index thing_words on taisce.thing: definition changed"),
    ("alter index taisce.thing_sum alter column 1 set statistics 500",
     "index thing_sum on taisce.thing: definition changed"),
    ("update pg_index set indisvalid = false where indexrelid = 'taisce.thing_words'::regclass",
     "index thing_words on taisce.thing: definition changed"),
    ("alter index taisce.thing_words rename to other", "index other on taisce.thing: added"),
    # Triggers, rules, policies, statistics
    ("alter table taisce.thing disable trigger noted",
     "trigger noted on taisce.thing: definition changed"),
    ("alter table taisce.thing enable always trigger noted",
     "trigger noted on taisce.thing: definition changed"),
    ("drop trigger noted on taisce.thing", "trigger noted on taisce.thing: missing"),
    ("create trigger spy before insert on taisce.part for each row"
     " execute function taisce.note()", "trigger spy on taisce.part: added"),
    ("create rule lost as on insert to taisce.part do instead nothing",
     "rule lost on taisce.part: added"),
    ("drop policy mine on taisce.thing", "policy mine on taisce.thing: missing"),
    ("alter policy mine on taisce.thing using (true)",
     "policy mine on taisce.thing: definition changed"),
    ("alter policy mine on taisce.thing to public",
     "policy mine on taisce.thing: definition changed"),
    ("create policy yours on taisce.thing using (true)", "policy yours on taisce.thing: added"),
    ("drop statistics taisce.thing_both", "statistics thing_both on taisce.thing: missing"),
    ("create statistics taisce.extra on m, k from taisce.thing",
     "statistics extra on taisce.thing: added"),
    # Sequences, types, schemas
    ("alter sequence taisce.number increment by 7", "sequence taisce.number: definition changed"),
    ("alter sequence taisce.number owned by none", "sequence taisce.number: definition changed"),
    ("grant usage on sequence taisce.number to public", "sequence taisce.number: privileges"),
    ("grant usage on type taisce.mood to PREFIX_other", "type taisce.mood: privileges"),
    ("alter type memory_v1.pair owner to PREFIX_other", "type memory_v1.pair: belongs to"),
    ("comment on type memory_v1.pair is 'x'", "type memory_v1.pair: comment changed"),
    ("grant create on schema memory_v1 to public",
     "schema memory_v1: privileges +public=CREATE"),
    ("grant usage on schema taisce to PREFIX_reader",
     "schema taisce: privileges +PREFIX_reader=USAGE"),
    ("alter schema taisce owner to PREFIX_other", "schema taisce: belongs to PREFIX_other"),
    ("alter default privileges for role PREFIX_owner in schema taisce grant select on tables"
     " to public", "default privileges tables of PREFIX_owner in taisce: added"),
    ("alter default privileges in schema memory_v1 grant execute on functions to PREFIX_other",
     "default privileges functions of"),
    # Roles
    ("alter role PREFIX_reader bypassrls", "role PREFIX_reader: definition changed now bypassrls"),
    ("alter role PREFIX_owner superuser", "role PREFIX_owner: definition changed now superuser"),
    ("alter role PREFIX_writer createrole createdb login",
     "role PREFIX_writer: definition changed now createdb, createrole, login"),
    ("alter role PREFIX_owner replication", "role PREFIX_owner: definition changed"),
    ("alter role PREFIX_admin noinherit", "role PREFIX_admin: definition changed now noinherit"),
    ("alter role PREFIX_reader connection limit 3", "role PREFIX_reader: definition changed"),
    ("alter role PREFIX_owner set row_security = off",
     "role PREFIX_owner: definition changed now row_security=off"),
    ("comment on role PREFIX_reader is 'x'", "role PREFIX_reader: comment changed"),
    ("grant pg_read_all_data to PREFIX_reader",
     "membership PREFIX_reader in pg_read_all_data: added"),
    ("grant PREFIX_owner to PREFIX_analyst",
     "membership PREFIX_analyst in PREFIX_owner: added"),
    ("revoke PREFIX_reader from PREFIX_admin",
     "membership PREFIX_admin in PREFIX_reader: missing"),
    ("grant PREFIX_reader to PREFIX_admin with admin option",
     "membership PREFIX_admin in PREFIX_reader: definition changed now admin"),
]  # fmt: skip

LEFT: list[tuple[str, str, str]] = [
    ("alter table taisce.thing drop column m cascade", "column m on taisce.thing: missing",
     "restore it"),
    ("alter table taisce.thing add column z int", "column z on taisce.thing: added",
     "alter table taisce.thing drop column z;"),
    ("alter table taisce.part alter column at type timestamp",
     "column at on taisce.part: definition", "restore it"),
    ("drop table taisce.part", "table taisce.part: missing", "restore it"),
    ("create table taisce.extra (n int)", "table taisce.extra: added", "drop table taisce.extra;"),
    ("create function memory_v1.extra() returns int language sql as 'select 1'",
     "function memory_v1.extra(): added", "drop routine memory_v1.extra();"),
    ("create aggregate taisce.extra(int) (sfunc = int4pl, stype = int)",
     "function taisce.extra(integer): added", "drop routine taisce.extra(integer);"),
    ("create view memory_v1.extra as select 1 as one", "view memory_v1.extra: added",
     "drop view memory_v1.extra;"),
    ("create sequence taisce.extra", "sequence taisce.extra: added", "drop sequence taisce.extra;"),
    ("create type taisce.extra as (n int)", "type taisce.extra: added", "drop type taisce.extra;"),
    ("create operator taisce.<+> (function = int4pl, leftarg = int, rightarg = int)",
     "other operator taisce.<+>(integer,integer): added",
     "drop operator taisce.<+>(integer,integer);"),
    ("alter type taisce.mood add value 'so'", "type taisce.mood: definition changed", "restore it"),
]  # fmt: skip
