r"""
Words for random scenarios: terms, messages that mention them, and keys that find them, or nearly.

In lists written as text, two spaces or a line's end part the items.
"""

from __future__ import annotations

import re
from random import Random


def _listed(text: str) -> list[str]:
    return re.split(r"\s{2,}", text.strip())


TERMS = _listed("""
    wyrm  Lantern  mana well  counterspell  draw step  haste  tomb  first strike  moon gate  Thornback  oath-bound
    rule_7  x2  don't  a/b  C++  (tap)  re-roll  end of turn  relic of ash  墓穴  召唤  连锁  月门守卫  先攻 后攻
    「手牌」  結界  ドロー  턴 종료  crème  élan  Zoë  cafe\u0301  Ünder  ﬂame  İzmir  ΛΟΓΟΣ  straße  дух огня  ｗａｒｄ
    Ｋing  ſeal  🔥  🐲  👩\u200d🚀  🃏🃏  a🐲b
""")
NAMES = ("Ines", "Bram", "阿岚", "Zoë", "The Dealer", "K-7")
MACROS = {
    "user": "Ines",
    "char": "阿岚",
    "deck": "wyrm",
    "blank": "",
    "twice": "{{char}}",
    "sign": "C++",
    "Odd_1": "(tap)",
}

# Letters whose case changes with their neighbours, their number or not at all, and what JavaScript takes for two.
_WILD = "aZ_9 -.'ΑΣσςİıIſẞßﬁǅŉΐᾼꙊᏸᲐꭰΩKÅé\u0301\u200d\u0085\u001c\ufeff龙召🐉🔥𐐀𐐨\ud83d\udd25"
_MESSAGES = (
    "{a}",
    "Does {a} beat {b}?",
    "the {a}, then {b}!",
    "咱们先看{a}，再看{b}。",
    "un{a}ed",
    "{a}s and {b}",
    "x{a}1 {b}_",
    "  {a}\t{b}  ",
    "{a}\n{b}",
    "\n{b} [{a}]\r\nok",
    "{a}{b}",
    "“{a}”/{b}/{{{{user}}}}",
    "no{a} \u3000{b}\u00a0",
    "{a}/{b}",
    "Nothing yet.",
    "等一下。",
)
_BLANK_MESSAGES = ("", "   ", "\n", "\u3000", "\x01", "\u2028", "\ud83d")
_ODD_KEYS: tuple[object, ...] = (
    *(None, 0, 1, 7, 3.5, True, False, [], ["wyrm"], {}),
    *("", " ", "\u3000", "\n", "\x01", ",", ".", "{{blank}}", "\u200b", "\ud83d", "\udd25"),
    *("\x01Ines", "x\n\x01", "\n\x01"),
)
_MACRO_KEYS = (
    *_listed(r"""
        {{user}}  {{ char }}  <USER>  <bot>  <char>s  {{Deck}}  {{deck}} {{deck}}  {{blank}}  {{none}}  {{twice}}
        {{sign}}  \{x\}  {x}  /{{deck}}s?/i  /{{sign}}/  /\{x\}/u  /(?<char>w)yrm/
    """),
    " {{blank}} ",
)
# {t} and {u} stand for keys.
_PATTERNS = (
    *_listed(r"""
        /{t}/  /{t}/i  /{t}/im  /{t}s?/g  /\b{t}\b/i  /(?:{t}|{u})/  /(?<=the ){t}/  /(?<!un){t}/i  /{t}(?!s)/
        /(?<n>{t}|{u}).*\k<n>/s  /({t}).+\1/  /^{t}/m  /{t}$/m  /^\x01{t}/  /{t}/y  /\x01{t}/y  /[^]{t}/
        /{t}[\s\S]*{u}/  /\p{{L}}+ {t}/u  /\p{{L}}+{t}/  /{t}|/  /./s  /^$/  /\x01$/  /\x01\n\x01/  /(?={t})/
        /(?<=\w{{2}}){t}/  /\\/./  /\\/\\\/./
        /{t}\/{u}/  /{t}\\/{u}/  /{t}/{u}/  /\\\/{t}/  /{t}\/\/{u}\//  //{t}/  /({t}/  /{t}/ii  /{t}/x  /{t}/v
        /[{t}]{{2}}/  /[{t}]+/u  /{t}{{1,2}}/  /\u{{1f525}}/u  /\ud83d/  /\ud83d/u  /[🔥🐲]/  /[🔥🐲]/u
        /^.$/mu  /a..b/  /a.b/u  /(?i:{t})/  /(?<n>{t})|(?<n>{u})/  / {t}/  /{t} /i  /\n\x01?{t}/  /\W{t}\W/
    """),
    " /{t}/ ",
    "/{t}\n/",
)
_ATOMS = r"""
    . \d \w \s \S \W \b \B [a-m] [^a-z] [\w龙] [^] [] ^ $ \1 \2 \k<n> \u0061 \x6d \u{61} \cJ \0 \07 \8 [\b] \p{L}
    \P{Lu} \- \/ \{ \e \_ { } ] {1} {,2} [a- [b-a] [\d-x] \ud83d \udd25 (?<n> (?: ( (?= (?! (?<= (?<! ) ) ) ) | |
    \p{Script=Han} \p{Lowercase} \p{Foo} (?<é> \k<m> \c \c1 \x \u \u{110000} (?<n (?i: (?-i: \q \N \R ſ K İ ß Σ ς
""".split()
_QUANTIFIERS = ("", "", "", "", "", "", "?", "*", "+", "{2}", "{1,2}", "{0}", "??", "*?", "+?", "{2,1}", "+*")


class Wording:
    """What one scenario talks about."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._terms = rng.sample(TERMS, rng.randint(4, 12))
        if rng.random() < 0.2:
            self._terms += ["".join(rng.choices(_WILD, k=rng.randint(1, 5))) for _ in range(3)]

    def key(self) -> str:
        """Return a term, sometimes in another case."""
        return self._rng.choice((str, str, str, str.lower, str.upper, str.title, str.swapcase))(self._term())

    def sentence(self) -> str:
        return self._rng.choice(_MESSAGES).format(a=self.key(), b=self.key())

    def message(self) -> str:
        return self._rng.choice(_BLANK_MESSAGES) if self._rng.random() < 0.04 else self.sentence()

    def part(self) -> str:
        """Return a key that stands within a term, or has white space around it, or reaches over two terms."""
        term, at = self._term(), self._rng.randint(0, 2)
        cuts = (term[at:], term[: -at or None], f" {term} ", f"{term} ", f"{term} {self._term()}", term + self._term())
        return self._rng.choice(cuts)

    def odd_key(self) -> object:
        return self._rng.choice(_ODD_KEYS)

    def macro_key(self) -> str:
        return self._rng.choice(_MACRO_KEYS)

    def regex(self) -> str:
        if self._rng.random() < 0.3:
            return self._random_regex()
        return self._rng.choice(_PATTERNS).format(t=self.key(), u=self.key())

    def _random_regex(self) -> str:
        """Return a regex of random pieces; half of them compile. No group is repeated: that takes for ever."""
        rng, pieces = self._rng, []
        for _ in range(rng.randint(1, 5)):
            atom = rng.choice(_ATOMS) if rng.random() < 0.6 else rng.choice(self._term())
            is_open = atom.startswith("(") or atom in {")", "|"}
            pieces.append(atom if is_open else atom + rng.choice(_QUANTIFIERS))
            if atom.startswith("(") and rng.random() < 0.8:
                pieces.append(rng.choice(self._term()) + ")" + rng.choice(("", "", "?", "{2}")))
        flags = "".join(rng.sample("gimsuy", rng.choice((0, 0, 1, 1, 2, 3))))
        return f"/{''.join(pieces)}/{flags}"

    def _term(self) -> str:
        return self._rng.choice(self._terms)
