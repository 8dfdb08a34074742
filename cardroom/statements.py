"""Queries that are compiled once: what an act at a table asks each time, without putting the same SQL together anew.

Django builds a statement of a queryset in several times the time in which the database answers it. Here a queryset is
written as a function of what it is asked for, is compiled the first time with gaps for those values, and from then on
its SQL is sent as it is; PostgreSQL keeps its plan too:

    @compiled_once(table=models.BigIntegerField())
    def open_turn(table: Any) -> QuerySet[Turn]:
        return Turn.objects.filter(table=table, ended_at__isnull=True).select_related("player")

    open_turn.first(table=7)     the same as  open_turn.queryset(table=7).first()

What a statement says is thus said once, by the ORM. Values may stand where a lookup compares with one (`exact`, `gt`,
`gte`, `lt`, `lte`); what a queryset looks like must not hang on them. The tests hold every statement to the queryset
that it was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models import QuerySet
from django.db.models.base import ModelState
from django.db.models.expressions import Expression
from django.db.models.query import get_related_populators

from cardroom.databases import plans_kept

M = TypeVar("M", bound=models.Model)

#: Every statement there is, for the tests.
STATEMENTS: list[Statement[Any]] = []


def object_of(model: type[M], names: Iterable[str], values: Iterable[Any]) -> M:
    """Return an object of a model that has these columns, as if read from the database: all of them, by their names.

    Django's own way goes through signals that nobody waits for, and each key of another row by itself: a quarter of
    what it takes to read a table.
    """
    made = model.__new__(model)
    made._state = ModelState()
    made.__dict__.update(zip(names, values, strict=True))
    return made


class _Maker(Generic[M]):
    """Stands for a model where Django makes objects of what was read (`RelatedPopulator`)."""

    def __init__(self, model: type[M]) -> None:
        self._model = model

    def from_db(self, db: str, names: Sequence[str], values: Sequence[Any]) -> M:
        made = object_of(self._model, names, values)
        made._state.adding, made._state.db = False, db
        return made


def _with_makers(populators: Sequence[Any]) -> Sequence[Any]:
    for populator in populators:
        populator.model_cls = _Maker(populator.model_cls)
        _with_makers(populator.related_populators)
    return populators


class Given(Expression):
    """The gap in a statement for a value that comes with each call; `output_field` prepares it for the database."""

    def __init__(self, name: str, output_field: models.Field[Any, Any]) -> None:
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", (self,)


class _Compiled:
    """A statement on one kind of database: its SQL, what fills its gaps, and how its rows become objects."""

    def __init__(self, queryset: QuerySet[Any]) -> None:
        compiler = queryset.query.get_compiler(connection=connection)
        self.sql, parameters = compiler.as_sql()
        self.parameters: tuple[Any, ...] = tuple(parameters)
        assert compiler.select is not None
        self.converters = [
            (place, converters, expression)
            for place, (converters, expression) in compiler.get_converters(
                [expression for expression, _, _ in compiler.select]
            ).items()
        ]
        self.maker: _Maker[Any] | None = None
        if (klass := compiler.klass_info) is not None:
            self.maker = _Maker(klass["model"])
            fields = klass["select_fields"]
            self.begin, self.end = fields[0], fields[-1] + 1
            self.names = [
                expression.target.attname for expression, _, _ in compiler.select[self.begin : self.end]
            ]
            # The stubs are those of a later Django, in which it takes more.
            populators = get_related_populators(klass, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
            self.populators = _with_makers(populators)
            self.annotated = list(compiler.annotation_col_map.items())

    def fetch(self, values: dict[str, Any]) -> list[Sequence[Any]]:
        """Ask the database, with its values as Python's."""
        filled = [values[each.name] if isinstance(each, Given) else each for each in self.parameters]
        with plans_kept(), connection.cursor() as cursor:
            cursor.execute(self.sql, filled)
            found: list[Sequence[Any]] = cursor.fetchall()
        if not self.converters or not found:
            return found
        rows: list[Sequence[Any]] = []
        for row in found:
            changed = list(row)
            for place, converters, expression in self.converters:
                value = changed[place]
                for convert in converters:
                    value = convert(value, expression, connection)
                changed[place] = value
            rows.append(changed)
        return rows

    def objects(self, values: dict[str, Any]) -> list[Any]:
        """Ask the database and make objects of its rows, those `select_related` with them."""
        assert self.maker is not None
        made = []
        for row in self.fetch(values):
            row_object = self.maker.from_db(DEFAULT_DB_ALIAS, self.names, row[self.begin : self.end])
            for populator in self.populators:
                populator.populate(row, row_object)
            for name, place in self.annotated:
                setattr(row_object, name, row[place])
            made.append(row_object)
        return made


class Statement(Generic[M]):
    """A query that is compiled at its first call, on each kind of database; see the module."""

    def __init__(
        self, queryset: Callable[..., QuerySet[M, Any]], given: dict[str, models.Field[Any, Any]]
    ) -> None:
        self.queryset = queryset
        self.__doc__ = queryset.__doc__
        self.name = f"{queryset.__module__}.{queryset.__qualname__}"
        self.given = given
        self._compiled: dict[str, _Compiled] = {}
        STATEMENTS.append(self)

    def rows(self, **values: Any) -> list[M]:
        """Return the objects of the query, in its order."""
        return self._here().objects(self._prepared(values))

    def first(self, **values: Any) -> M | None:
        """Return the first object of a query that finds few, or none."""
        return next(iter(self.rows(**values)), None)

    def tuples(self, **values: Any) -> list[Sequence[Any]]:
        """Return the values of a query of `values_list`."""
        return self._here().fetch(self._prepared(values))

    def _here(self) -> _Compiled:
        compiled = self._compiled.get(connection.vendor)
        if compiled is None:
            gaps = {name: Given(name, field) for name, field in self.given.items()}
            compiled = self._compiled[connection.vendor] = _Compiled(self.queryset(**gaps))
        return compiled

    def _prepared(self, values: dict[str, Any]) -> dict[str, Any]:
        if values.keys() != self.given.keys():
            raise TypeError(f"{self.name} takes {', '.join(self.given)}, not {', '.join(values)}")
        return {name: field.get_db_prep_value(values[name], connection) for name, field in self.given.items()}


def compiled_once(
    **given: models.Field[Any, Any],
) -> Callable[[Callable[..., QuerySet[M, Any]]], Statement[M]]:
    """Make a statement of a function that returns a queryset; `given` are the fields of its arguments."""
    return lambda queryset: Statement(queryset, given)


#: The field of an id: its values have one size in a statement, however large they are, and so one plan.
ID = models.BigIntegerField()
