"""The parts of PostgreSQL's grammar that a query may use: every node with its fields.

What is not listed here is refused, so a part that a later grammar adds is refused too.
"""

from __future__ import annotations

_SHAPES = """
A_ArrayExpr: elements list_start list_end
A_Const: ival fval boolval sval bsval isnull
A_Expr: kind name lexpr rexpr rexpr_list_start rexpr_list_end
A_Indices: is_slice lidx uidx
A_Indirection: arg indirection
A_Star:
Alias: aliasname colnames
BitString: bsval
BoolExpr: boolop args
Boolean: boolval
BooleanTest: arg booltesttype
CTECycleClause: cycle_col_list cycle_mark_column cycle_mark_value cycle_mark_default \
    cycle_path_column
CTESearchClause: search_col_list search_breadth_first search_seq_column
CaseExpr: arg args defresult
CaseWhen: expr result
CoalesceExpr: args
CollateClause: arg collname
ColumnDef: colname typeName is_local collClause
ColumnRef: fields
CommonTableExpr: ctename aliascolnames ctematerialized ctequery search_clause cycle_clause
Float: fval
FuncCall: funcname args agg_order agg_filter over agg_within_group agg_star agg_distinct \
    func_variadic funcformat
GroupingFunc: args
GroupingSet: kind content
Integer: ival
JoinExpr: jointype isNatural larg rarg usingClause join_using_alias quals alias
JsonAggConstructor: output agg_filter agg_order over
JsonArgument: val name
JsonArrayAgg: constructor arg absent_on_null
JsonArrayConstructor: exprs absent_on_null output
JsonArrayQueryConstructor: query output format absent_on_null
JsonBehavior: btype expr coerce
JsonFormat: format_type encoding
JsonFuncExpr: op column_name context_item pathspec passing output on_empty on_error wrapper quotes
JsonIsPredicate: expr format item_type unique_keys
JsonKeyValue: key value
JsonObjectAgg: constructor arg absent_on_null unique
JsonObjectConstructor: exprs absent_on_null unique output
JsonOutput: typeName returning
JsonParseExpr: expr output unique_keys
JsonReturning: format
JsonScalarExpr: expr output
JsonSerializeExpr: expr output
JsonTable: context_item pathspec passing columns on_error alias lateral
JsonTableColumn: coltype name typeName pathspec format wrapper quotes columns on_empty on_error
JsonTablePathSpec: string name name_location
JsonValueExpr: raw_expr formatted_expr format
List: items
MinMaxExpr: op args
NamedArgExpr: arg name argnumber
NullTest: arg nulltesttype argisrow
ParamRef: number
RangeFunction: lateral ordinality is_rowsfrom functions alias coldeflist
RangeSubselect: lateral subquery alias
RangeVar: catalogname schemaname relname inh relpersistence alias
ResTarget: name val
RowExpr: args row_format colnames
SQLValueFunction: op typmod
SelectStmt: distinctClause intoClause targetList fromClause whereClause groupClause \
    groupDistinct havingClause windowClause valuesLists sortClause limitOffset limitCount \
    limitOption lockingClause withClause op all larg rarg
SortBy: node sortby_dir sortby_nulls useOp
String: sval
SubLink: subLinkType subLinkId testexpr operName subselect
TypeCast: arg typeName
TypeName: names setof pct_type typmods typemod arrayBounds
WindowDef: name refname partitionClause orderClause frameOptions startOffset endOffset
WithClause: ctes recursive
"""

FIELDS: dict[str, frozenset[str]] = {}
for _line in _SHAPES.replace("\\\n", "").strip().splitlines():
    _name, _, _fields = _line.partition(":")
    FIELDS[_name] = frozenset((*_fields.split(), "location"))

BARE: dict[str, str] = {
    "alias": "Alias",
    "collClause": "CollateClause",
    "cycle_clause": "CTECycleClause",
    "format": "JsonFormat",
    "join_using_alias": "Alias",
    "larg": "SelectStmt",
    "on_empty": "JsonBehavior",
    "on_error": "JsonBehavior",
    "output": "JsonOutput",
    "over": "WindowDef",
    "pathspec": "JsonTablePathSpec",
    "rarg": "SelectStmt",
    "returning": "JsonReturning",
    "search_clause": "CTESearchClause",
    "typeName": "TypeName",
    "withClause": "WithClause",
}
BARE_WITHIN: dict[tuple[str, str], str] = {
    ("JsonArrayAgg", "arg"): "JsonValueExpr",
    ("JsonArrayAgg", "constructor"): "JsonAggConstructor",
    ("JsonFuncExpr", "context_item"): "JsonValueExpr",
    ("JsonKeyValue", "value"): "JsonValueExpr",
    ("JsonObjectAgg", "arg"): "JsonKeyValue",
    ("JsonObjectAgg", "constructor"): "JsonAggConstructor",
    ("JsonParseExpr", "expr"): "JsonValueExpr",
    ("JsonSerializeExpr", "expr"): "JsonValueExpr",
    ("JsonTable", "context_item"): "JsonValueExpr",
    ("JsonArgument", "val"): "JsonValueExpr",
}
"""Fields whose value is a node of a known kind without its name around it."""

WRITES = frozenset({"InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"})
LEAVES = frozenset({"A_Const", "A_Star", "BitString", "Boolean", "Float", "Integer", "String"})
"""Nodes with nothing below them that could be refused."""
