-- Roles, schemas and the ledger. Runs as the installing user, who steps down to the owner here.

-- Roles: nothing is altered or granted when it is there already (a user without CREATEROLE can
-- install
--    when a DBA has made the roles and granted taisce_owner to him).
do $do$
declare
    v_role text;
begin
    foreach v_role in array array['taisce_owner', 'taisce_reader', 'taisce_analyst',
        'taisce_writer', 'taisce_admin']
    loop
        if not exists (select from pg_catalog.pg_roles as r where r.rolname = v_role) then
            execute format('create role %I nologin', v_role);
        end if;
    end loop;
    foreach v_role in array array['taisce_reader', 'taisce_analyst', 'taisce_writer']
    loop
        if not exists (
            select from pg_catalog.pg_auth_members as m
            where m.roleid = v_role::regrole and m.member = 'taisce_admin'::regrole
        ) then
            execute format('grant %I to taisce_admin', v_role);
        end if;
    end loop;
    -- 16 and later: whoever creates a role may administer it, yet not become it.
    if not pg_catalog.pg_has_role(current_user, 'taisce_owner',
        case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)
    then
        execute format('grant taisce_owner to %I', current_user);
    end if;
end
$do$;

create schema taisce authorization taisce_owner;
create schema memory_v1 authorization taisce_owner;
set local role taisce_owner;

grant usage on schema memory_v1 to taisce_reader, taisce_analyst, taisce_writer, taisce_admin;

create table taisce.ledger (
    path text not null,
    kind text not null,
    checksum text not null,
    body text not null,
    package_version text not null,
    prefix text not null,
    applied_at timestamptz not null default pg_catalog.now(),
    constraint ledger_key primary key (path),
    constraint ledger_kind check (kind in ('migration', 'function', 'view'))
);
comment on table taisce.ledger is
    'What has been installed: one row a file, with the text that ran. checksum (sha256, hex) is '
    'that of the unrendered text for a migration, of the rendered text for a function or view.';

create table taisce.ledger_object (
    class text not null,
    identity text not null,
    path text,
    owner text not null,
    definition text not null,
    privileges text not null,
    remark text not null,
    target text,
    mend text,
    server_major integer not null,
    retired_at timestamptz,
    constraint ledger_object_key primary key (class, identity)
);
comment on table taisce.ledger_object is
    'How each installed object looked when it was installed, so that a change by hand shows. '
    'definition is readable where it is short, else a sha256 in hex; remark is its comment; mend: '
    'SQL that makes it so again; retired_at: superseded, and dropped by a later install.';
