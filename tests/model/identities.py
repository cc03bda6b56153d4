"""Who and what a memory knows: entities, the names that lead to them, and references to them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.model.rows import Entity, Line, ModelError, Name
from tests.model.text import normalize_name

MAX_NAME_BYTES = 4_096


@dataclass
class Identities:
    """The entities of one project."""

    entities: list[Entity] = field(default_factory=list)
    entity_keys: dict[str, int] = field(default_factory=dict)
    names: list[Name] = field(default_factory=list)

    def entity(self, number: int) -> Entity:
        return self.entities[number]

    def leads_to(self, normalized: str) -> list[int]:
        """List the active entities a normalised name leads to, each once."""
        found: list[int] = []
        for name in self.names:
            active = self.entity(name.entity).status == "active"
            if name.normalized == normalized and active and name.entity not in found:
                found.append(name.entity)
        return found

    def speaker(self, data_subject_id: str) -> int | None:
        for entity in self.entities:
            if entity.kind == "speaker" and entity.speaker_of == data_subject_id:
                return entity.number
        return None

    def _check_name(self, name: str) -> str:
        normalized = normalize_name(name)
        if not normalized or "\0" in name:
            raise ModelError("TS008", "empty name")
        if len(name.encode()) > MAX_NAME_BYTES or len(normalized.encode()) > MAX_NAME_BYTES:
            raise ModelError("TS008", "long name")
        return normalized

    def _new_entity(self, name: str, source: str | None) -> int:
        known = self._canonical(normalize_name(name))
        if known is not None:
            return known
        entity = Entity(len(self.entities), "named", name)
        self.entities.append(entity)
        self.names.append(Name(normalize_name(name), entity.number, "canonical", source, name))
        return entity.number

    def _speaker_entity(self, data_subject_id: str) -> int:
        known = self.speaker(data_subject_id)
        if known is not None:
            return known
        entity = Entity(len(self.entities), "speaker", "speaker", speaker_of=data_subject_id)
        self.entities.append(entity)
        return entity.number

    def _canonical(self, normalized: str) -> int | None:
        for name in self.names:
            entity = self.entity(name.entity)
            same = (name.kind, name.normalized) == ("canonical", normalized)
            if same and entity.status == "active":
                return entity.number
        return None

    def _entity(self, line: Line) -> None:
        if line.get("speaker_of") is not None:
            number = self._speaker_entity(line["speaker_of"])
        else:
            self._check_name(line["name"])
            aliases = {self._check_name(alias): alias for alias in line.get("aliases") or []}
            number = self._new_entity(line["name"], line.get("source"))
            for alias, spelling in aliases.items():
                if not any(n.normalized == alias and n.entity == number for n in self.names):
                    self.names.append(Name(alias, number, "alias", line.get("source"), spelling))
            if line.get("source") is None:
                self._declare(number, {normalize_name(line["name"]), *aliases})
            if line.get("entity_type") is not None:
                self.entity(number).entity_type = line["entity_type"]
        if line.get("key") is not None:
            self.entity_keys[line["key"]] = number

    def _declare(self, number: int, normalized: set[str]) -> None:
        """Keep names that were said without a source, whoever brought them before."""
        for name in self.names:
            if name.entity == number and name.normalized in normalized:
                name.source = None

    def _refer(self, reference: Any) -> Callable[[str | None], int]:
        """Check a reference to an entity; what is returned makes it when called."""
        if isinstance(reference, dict):
            if "speaker" in reference:
                return lambda source: self._speaker_entity(reference["speaker"])
            if reference.get("key") not in self.entity_keys:
                raise ModelError("TS008", "unknown entity key")
            number = self.entity_keys[reference["key"]]
            return lambda source: number
        found = self.leads_to(self._check_name(reference))
        if len(found) > 1:
            raise ModelError("TS008", "ambiguous name")
        if found:
            return lambda source: found[0]
        return lambda source: self._new_entity(reference, source)
