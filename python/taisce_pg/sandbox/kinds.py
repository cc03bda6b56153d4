"""What kind of value an expression gives: of fixed size, a text, an array, or something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taisce_pg.sandbox.tree import Node, kind_of, strings

if TYPE_CHECKING:
    from taisce_pg.sandbox.estimates import Estimates

FIXED, TEXT, ARRAY, OTHER = "fixed", "text", "array", "other"

_WORDS_OF_FIXED_TYPES = """
    bool boolean int2 int4 int8 smallint integer bigint float4 float8 real numeric decimal date
    time timetz timestamp timestamptz interval uuid inet cidr macaddr macaddr8 money point line
    lseg box circle
"""
FIXED_TYPES = frozenset(_WORDS_OF_FIXED_TYPES.split())
_FIXED_NAMES = FIXED_TYPES | {
    "double precision", "timestamp with time zone", "timestamp without time zone"
}  # fmt: skip
TEXT_TYPES = frozenset({"text", "varchar", "bpchar", "char", "name", "character varying"})
_WORDS_OF_FIXED_CALLS = """
    abs acos acosd acosh age area array_length array_lower array_ndims array_position array_upper
    ascii asin asind asinh atan atan2 atan2d atand atanh avg bit_count bit_length bool bool_and
    bool_or bound_box box broadcast cardinality cbrt ceil ceiling center char_length
    character_length cidr circle clock_timestamp corr cos cosd cosh cot cotd count covar_pop
    covar_samp crc32 crc32c cume_dist date date_add date_bin date_part date_subtract date_trunc
    degrees dense_rank diagonal diameter div erf erfc every exp extract factorial family float4
    float8 floor gamma gcd gen_random_uuid generate_subscripts get_bit get_byte height hostmask
    inet_merge int2 int4 int8 interval is_normalized isclosed isempty isfinite ishorizontal isopen
    isparallel isperp isvertical json_array_length jsonb_array_length jsonb_path_exists
    jsonb_path_match justify_days justify_hours justify_interval lcm length lgamma line ln log log10
    lower_inc lower_inf lseg make_date make_interval make_time make_timestamp make_timestamptz
    masklen min_scale mod netmask network now npoints ntile num_nonnulls num_nulls numeric numnode
    octet_length overlaps percent_rank pg_column_size pg_input_is_valid pg_size_bytes pi point
    position pow power radians radius random random_normal rank regexp_count regexp_instr
    regexp_like round row_number scale sign sin sind sinh slope sqrt starts_with
    statement_timestamp stddev stddev_pop stddev_samp strpos sum tan tand tanh time timestamp
    timestamptz timetz timezone to_date to_number to_timestamp transaction_timestamp trim_scale
    trunc ts_rank ts_rank_cd upper_inc upper_inf uuidv4 uuidv7 var_pop var_samp variance width
    width_bucket md5 sha224 sha256 sha384 sha512 chr json_typeof jsonb_typeof pg_typeof to_hex
    to_bin to_oct pg_size_pretty array_dims
"""
FIXED_CALLS = frozenset(_WORDS_OF_FIXED_CALLS.split())
"""Calls whose value has a size of its own, whatever they are given."""

_WORDS_OF_SHORT_TEXTS = """
    md5 chr json_typeof jsonb_typeof to_hex to_bin to_oct pg_size_pretty array_dims
"""
_SHORT_TEXTS = frozenset(_WORDS_OF_SHORT_TEXTS.split())
_BYTES = frozenset({"sha224", "sha256", "sha384", "sha512"})
_WORDS_OF_TEXT_CALLS = """
    abbrev array_to_string btrim casefold concat concat_ws convert_from encode format host
    initcap json_extract_path_text jsonb_extract_path_text jsonb_pretty left like_escape lower lpad
    ltrim normalize overlay quote_ident quote_literal quote_nullable regexp_replace
    regexp_split_to_table regexp_substr repeat replace reverse right rpad rtrim split_part
    string_agg string_to_table substr substring text to_ascii to_char translate trim ts_headline
    unistr upper varchar
"""
_TEXT_CALLS = frozenset(_WORDS_OF_TEXT_CALLS.split())
_WORDS_OF_ARRAY_CALLS = """
    array_agg array_append array_cat array_fill array_positions array_prepend array_remove
    array_replace array_reverse array_sample array_shuffle array_sort parse_ident regexp_match
    regexp_matches regexp_split_to_array string_to_array trim_array tsvector_to_array
"""
_ARRAY_CALLS = frozenset(_WORDS_OF_ARRAY_CALLS.split())
_WORDS_OF_LIKE_FIRST = """
    any_value first_value lag last_value lead max min mode nth_value percentile_disc
    percentile_cont
"""
_LIKE_FIRST = frozenset(_WORDS_OF_LIKE_FIRST.split())
_VALUES = frozenset(
    ["||", "->", "#>", "#-", "+", "-", "*", "/", "%", "^", "&", "|", "#", "~", "<<", ">>", "@",
     "|/", "||/", "##", "!!", "&&"]
)  # fmt: skip
_TEXTS = frozenset({"->>", "#>>"})


def kind_of_type(name: str) -> str:
    """Return the kind of a type, as the catalogue of views spells it."""
    if name.endswith("[]"):
        return ARRAY
    bare = name.partition("(")[0]
    return FIXED if bare in _FIXED_NAMES else TEXT if bare in TEXT_TYPES else OTHER


def value_kind(estimates: Estimates, node: Node, depth: int = 0) -> str:
    """Return the kind of the value of an expression; what is not understood is OTHER."""
    kind, fields = kind_of(node)
    if depth > 40:
        return OTHER
    if kind == "A_Const":
        if "bsval" in fields:
            return OTHER
        return TEXT if "sval" in fields or fields.get("isnull") else FIXED
    if kind == "TypeCast":
        if fields["typeName"].get("arrayBounds"):
            return ARRAY
        return kind_of_type(strings(fields["typeName"].get("names"))[-1])
    if kind in ("CollateClause", "NamedArgExpr"):
        return value_kind(estimates, fields.get("arg", {}), depth + 1)
    if kind == "ColumnRef":
        column = estimates.resolved.get(id(fields))
        return column.kind if column else OTHER
    if kind in ("NullTest", "BoolExpr", "BooleanTest", "SQLValueFunction", "GroupingFunc"):
        return FIXED
    if kind == "A_ArrayExpr":
        return ARRAY
    parts: list[Node] = []
    if kind in ("CoalesceExpr", "MinMaxExpr"):
        parts = fields.get("args", [])
    elif kind == "CaseExpr":
        parts = [when["CaseWhen"].get("result", {}) for when in fields.get("args", [])]
        parts.append(fields.get("defresult", {}))
    if parts:
        kinds = {value_kind(estimates, part, depth + 1) for part in parts if part}
        if len(kinds - {TEXT}) == 1:  # A literal takes the type of what stands beside it.
            return (kinds - {TEXT}).pop()
        return kinds.pop() if len(kinds) == 1 else OTHER
    if kind == "SubLink":
        return _sublink(estimates, fields)
    if kind == "A_Expr":
        return _operation(estimates, fields, depth)
    if kind == "FuncCall":
        return _call(estimates, fields, depth)
    return OTHER


def _sublink(estimates: Estimates, fields: Node) -> str:
    what = fields.get("subLinkType")
    if what == "ARRAY_SUBLINK":
        return ARRAY
    if what != "EXPR_SUBLINK":
        return FIXED
    relation = estimates.relations.get(id(fields.get("subselect", {}).get("SelectStmt")))
    return relation.columns[0].kind if relation and relation.columns else OTHER


def _operation(estimates: Estimates, fields: Node, depth: int) -> str:
    words = strings(fields.get("name"))
    if fields.get("kind") == "AEXPR_NULLIF":
        return value_kind(estimates, fields.get("lexpr", {}), depth + 1)
    if words[-1:] and words[-1] in _TEXTS:
        return TEXT
    if fields.get("kind", "AEXPR_OP") != "AEXPR_OP" or words[-1] not in _VALUES:
        return FIXED
    sides = [fields[side] for side in ("lexpr", "rexpr") if side in fields]
    kinds = {value_kind(estimates, side, depth + 1) for side in sides}
    if words == ["||"]:
        return next((kind for kind in (ARRAY, TEXT) if kind in kinds), OTHER)
    return FIXED if kinds <= {FIXED, TEXT} and FIXED in kinds and words != ["->"] else OTHER


def _call(estimates: Estimates, fields: Node, depth: int) -> str:
    name = strings(fields.get("funcname"))[-1]
    if name in _SHORT_TEXTS or name in _TEXT_CALLS:
        return TEXT
    if name in _BYTES:
        return OTHER
    if name in FIXED_CALLS:
        return FIXED
    if name in _ARRAY_CALLS:
        return ARRAY
    if name in _LIKE_FIRST:
        within = fields.get("agg_order") if fields.get("agg_within_group") else None
        arguments = fields.get("args") or [{}]
        value = within[0]["SortBy"].get("node", {}) if within else arguments[0]
        if within and name != "mode" and value_kind(estimates, arguments[0], depth + 1) != FIXED:
            return ARRAY
        return value_kind(estimates, value, depth + 1)
    return OTHER
