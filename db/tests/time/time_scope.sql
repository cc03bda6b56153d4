-- taisce.time_scope: the instants of a read.
begin;
select plan(26);

-- Given
insert into taisce.project (project_id, name) values (9001, 'told'), (9002, 'empty');
insert into taisce.project_clock (project_id, last_stamp) values
(9001, '2024-05-01T12:00:00Z'), (9002, '-infinity');
create function pg_temp.scope(
    as_of timestamptz, as_known_at timestamptz, project bigint default 9001
)
returns taisce.time_scope language sql as $$
    select taisce.time_scope(project, as_of, as_known_at, '5 minutes')
$$;
-- Whether a version is in the scope, by the predicate that every reader uses.
create function pg_temp.holds(
    scope taisce.time_scope, valid_from timestamptz, valid_to timestamptz,
    known_from timestamptz default '2024-01-01Z', known_to timestamptz default 'infinity',
    replaced boolean default false
) returns boolean language sql as $$
    select valid_from <= (scope).valid_from_max
        and valid_to >= case when replaced then (scope).replaced_to_min else (scope).valid_to_min end
        and known_from <= (scope).known_from_max and known_to >= (scope).known_to_min
$$;

-- Contract
select has_function(
    'taisce', 'time_scope', array['bigint', 'timestamptz', 'timestamptz', 'interval'],
    'it takes a project, two instants and how far clocks may differ');
select volatility_is(
    'taisce', 'time_scope', array['bigint', 'timestamptz', 'timestamptz', 'interval'], 'stable');

-- Rights
select is_empty(
    $$ select x.grantee from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid = 'taisce.time_scope(bigint, timestamptz, timestamptz, interval)'::regprocedure
         and x.grantee <> p.proowner $$,
    'only the owner may call it');

-- Result: now
select ok((pg_temp.scope(null, null)).live, 'without instants the read is of current facts');
select is((pg_temp.scope(null, null)).read_at, statement_timestamp(), 'as of this statement');
select ok(
    pg_temp.holds(pg_temp.scope(null, null), '-infinity', 'infinity'),
    'a fact without ends holds');
select ok(
    pg_temp.holds(
        pg_temp.scope(null, null), statement_timestamp() + interval '4 minutes', 'infinity'),
    'a fact from a clock that runs ahead a little holds already');
select ok(
    not pg_temp.holds(
        pg_temp.scope(null, null), statement_timestamp() + interval '6 minutes', 'infinity'),
    'a fact of the future does not');
select ok(
    not pg_temp.holds(pg_temp.scope(null, null), '-infinity', statement_timestamp()),
    'a fact whose end is now does not');
select ok(
    pg_temp.holds(
        pg_temp.scope(null, null), '-infinity', statement_timestamp() + interval '1 second'),
    'a fact whose stated end is to come holds');
select ok(
    not pg_temp.holds(
        pg_temp.scope(null, null), '-infinity', statement_timestamp() + interval '1 second',
        replaced => true),
    'one replaced from then on does not, for what replaces it holds already');
select ok(
    not pg_temp.holds(
        pg_temp.scope(null, null), '-infinity', 'infinity', known_to => '2024-02-01Z'),
    'what is no longer believed does not');

-- Result: as of an instant
select ok(
    not (pg_temp.scope('2020-01-01Z', null)).live, 'a read of the past looks at ended facts too');
select ok(
    pg_temp.holds(pg_temp.scope('2020-01-01Z', null), '2020-01-01Z', '2020-01-02Z'),
    'the start is inside');
select ok(
    not pg_temp.holds(pg_temp.scope('2020-01-02Z', null), '2020-01-01Z', '2020-01-02Z'),
    'the end is outside');
select ok(
    not pg_temp.holds(
        pg_temp.scope('2020-01-01Z', null), '2020-01-01T00:00:00.000001Z', 'infinity'),
    'clocks that differ play no part');

-- Result: as known at an instant
select ok(
    pg_temp.holds(
        pg_temp.scope(null, '2024-01-15Z'), '-infinity', 'infinity', '2024-01-15Z', '2024-02-01Z'),
    'what was believed then is seen from its first instant');
select ok(
    not pg_temp.holds(
        pg_temp.scope(null, '2024-02-01Z'), '-infinity', 'infinity', '2024-01-15Z', '2024-02-01Z'),
    'and no more from its last');
select ok(
    not pg_temp.holds(pg_temp.scope(null, '2024-01-15Z'), '-infinity', '2024-01-15Z'),
    'what had ended by then had ended');
select is(
    (pg_temp.scope(null, '2030-01-01Z')).known_at, '2024-05-01T12:00:00Z'::timestamptz,
    'an instant beyond the last stamp is read as that stamp');
select is(
    (pg_temp.scope(null, '2030-01-01Z', 9002)).known_at, '-infinity'::timestamptz,
    'where nothing was told nothing was known');
select is(
    array[
        (pg_temp.scope(null, '2024-01-15Z')).linked_max,
        (pg_temp.scope('2020-01-01Z', '2030-01-01Z')).linked_max
    ],
    array['2024-01-15Z', '2024-05-01T12:00:00Z']::timestamptz[],
    'evidence that was linked later was not known then');
select is(
    array[
        (pg_temp.scope(null, null)).linked_max, (pg_temp.scope('2020-01-01Z', null)).linked_max
    ],
    array['infinity', 'infinity']::timestamptz[], 'without an instant of knowledge all is');
select ok(
    pg_temp.holds(
        pg_temp.scope('2020-01-01Z', '2024-01-15Z'), '2020-01-01Z', '2020-01-02Z',
        '2024-01-15Z', '2024-02-01Z'),
    'both clocks may be set at once');

-- Result: the ends of time
select ok(
    pg_temp.holds(
        pg_temp.scope('294276-12-31T23:59:59.999999Z', null), '-infinity', 'infinity')
    and not pg_temp.holds(
        pg_temp.scope('294276-12-31T23:59:59.999999Z', null), '-infinity',
        '294276-12-31T23:59:59.999999Z'),
    'the last instant of all can be asked about');
select ok(
    pg_temp.holds(
        pg_temp.scope('4714-11-24 00:00:00+00 BC', '4714-11-24 00:00:00+00 BC'), '-infinity',
        'infinity', '-infinity'),
    'and the first');

select * from finish();
rollback;
