"""What random memories are made of: names that try every rule, and words between them."""

NAMES = (
    "Marta Nowak",
    "Dublin",
    "O'Brien",
    "Jean-Luc",
    "AT&T",
    "C#",
    "node.js",
    "Yahoo!",
    "Washington, D.C.",
    "\u0130zmir",
    "STRASSE \u1e9e",
    "\u03a3\u039f\u03a6\u039f\u03a3 \u03a3",
    "S\u00e3o Paulo",
    "a@b.eu",
    "Speaker",
    "The Royal Society for the Protection of Birds",
    'League of "Very Old" Ships, Inc.',
    "Acme",
    "Acme (Ireland)",
    "Bob Smith",
    "Robert Smith",
    "$5 bill",
    "\u6771\u4eac",
    "Zo\u00eb",
    "x",
    "3",
)
ALIASES = (
    "Marta",
    "Bob",
    "the capital",
    "Big Blue",
    "S\u00e3o",
    "Acme Ltd.",
    "The Old Birds of Five",
)
SUBJECTS = ("s1", "s2", "s 3")
PREDICATES = ("p", "q", "lives_in", "Zeta", "alpha", "\u00e9tat", "other:likes", "_u")
ONE = ("lives_in", "q")
TYPES = ("person", "place", None)
FILL = (
    "and ",
    "then\t",
    "\u00e9\u00e8 ",
    "so\u2003",
    "\U0001f600",
    "long",
    "words ",
    "\n",
    "x",
    ".",
)
