"""Contexts and what is due to be condensed, by the plainest rule: look at every turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

NEWEST = 8
FULL = 8
HIGHEST = 6


@dataclass
class Turn:
    """A turn: its offset, its size in characters, and whether it counts."""

    offset: int
    size: int
    state: str = "formed"  # or unformed, parked, expired


@dataclass(frozen=True)
class Segment:
    """What condenses the turns between two offsets."""

    level: int
    first: int
    last: int
    covered: int
    size: int

    def covers(self, offset: int) -> bool:
        return self.first <= offset <= self.last


Item = Turn | Segment


@dataclass
class History:
    """The turns and segments of one person."""

    turns: list[Turn] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)

    def formed(self) -> list[Turn]:
        return sorted((t for t in self.turns if t.state == "formed"), key=lambda t: t.offset)

    def shown(self) -> list[Segment]:
        """Leave out what condenses a turn whose retention has passed."""
        gone = [turn.offset for turn in self.turns if turn.state == "expired"]
        return [s for s in self.segments if not any(s.covers(offset) for offset in gone)]

    def older(self) -> list[Item]:
        """Return what stands for the turns before the newest, each thing once, oldest first."""
        items: list[Item] = []
        for turn in self.formed()[:-NEWEST]:
            covering = [s for s in self.shown() if s.covers(turn.offset)]
            item: Item = max(covering, key=lambda s: s.level) if covering else turn
            if item not in items:
                items.append(item)
        return items

    def context(self, budget: int) -> tuple[list[Item], int, bool]:
        """Return the items that fit, oldest first, their characters, and whether some did not."""
        items: list[Item] = [*self.older(), *self.formed()[-NEWEST:]]
        kept: list[Item] = []
        used = 0
        for item in reversed(items):
            if used + item.size > budget:
                return kept[::-1], used, True
            kept.append(item)
            used += item.size
        return kept[::-1], used, False

    def due(self) -> list[Segment]:
        """Return what to condense next, a level at a time; sizes are left at 0."""
        items = self.older()
        plans = []
        for level in range(1, HIGHEST + 1):
            run: list[Item] = []
            for item in [*items, None]:
                rank = -1 if item is None else item.level if isinstance(item, Segment) else 0
                if item is not None and rank == level - 1:
                    run.append(item)
                    if len(run) == FULL:
                        plans.append(plan(level, run))
                        run = []
                    continue
                if rank >= level and len(run) > 1:
                    plans.append(plan(level, run))
                run = []
        return sorted(plans, key=lambda p: (p.last, p.level))

    def erase(self, turn: Turn) -> None:
        """Take a turn away, and every segment that covers it."""
        self.turns.remove(turn)
        self.segments = [s for s in self.segments if not s.covers(turn.offset)]


def plan(level: int, run: list[Item]) -> Segment:
    """Make the segment of some items in a row."""
    first, last = run[0], run[-1]
    return Segment(
        level,
        first.first if isinstance(first, Segment) else first.offset,
        last.last if isinstance(last, Segment) else last.offset,
        sum(item.covered if isinstance(item, Segment) else 1 for item in run),
        0,
    )


def live_a_life(random: Random, steps: int) -> History:
    """Let a person talk while a summariser follows, lags, and is robbed of what it covered."""
    history = History()
    offset = 0
    eager = random.choice([0.2, 0.7, 1.0])
    for _ in range(steps):
        for _ in range(random.randint(1, 40)):
            offset += random.choice([1, 1, 1, 2, 5])
            state = random.choices(["formed", "unformed", "parked"], [20, 1, 1])[0]
            history.turns.append(Turn(offset, random.randint(5, 60), state))
        for _ in range(random.randint(0, 4)):
            for due in history.due():
                if random.random() < eager:
                    size = random.randint(0, 80)
                    history.segments.append(
                        Segment(due.level, due.first, due.last, due.covered, size)
                    )
        late = [turn for turn in history.turns if turn.state != "formed"]
        if late and random.random() < 0.5:
            random.choice(late).state = "formed"
        if random.random() < 0.3:
            history.erase(random.choice(history.turns))
    if random.random() < 0.3 and history.turns:
        random.choice(history.turns).state = "expired"
    return history
