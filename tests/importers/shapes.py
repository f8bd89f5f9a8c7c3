"""
Documents of every shape, made by chance of words that stand in them once, so that each can be looked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.importers.pdfs import Set, pdf

_HAN = "船帆锚网鱼港风浪潮桨舵桅缆礁滩湾岛岸灯塔鸥鲸鳕鲱鲭鲑蟹虾贝藻"


@dataclass
class Shape:
    """
    A document while it is made: its text, and the words that must come back out of its body and its headings.
    """

    draws: Random
    body: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)

    def word(self, into: list[str]) -> str:
        """
        Return a word that stands nowhere else.
        """
        number = len(self.body) + len(self.headings)
        word = "qu" + "".join("bcdfglmnprst"[number // 12**place % 12] for place in range(4))
        into.append(word)
        return word

    def words(self, count: int) -> str:
        return " ".join(self.word(self.body) for _ in range(count))

    def sentence(self, end: str = ".") -> str:
        return self.words(self.draws.randint(2, 14)).capitalize() + end

    def paragraph(self, joint: str = " ") -> str:
        return joint.join(self.sentence() for _ in range(self.draws.randint(1, 3)))

    def title(self) -> str:
        return " ".join(self.word(self.headings) for _ in range(self.draws.randint(1, 3))).title()

    def blocks(self, kinds: Sequence[Callable[[Shape], str]], joint: str = "\n\n") -> str:
        """
        Return a heading-like first block and up to twelve others of *kinds*.
        """
        return joint.join(make(self) for make in self.draws.choices(kinds, k=self.draws.randint(3, 14)))


def _listed(shape: Shape, mark: str, indent: str) -> str:
    rows = []
    for count in range(1, shape.draws.randint(2, 5)):
        # What is numbered and ends without a stop may be a heading.
        ends = ["", ".", ";"] if mark == mark.format(count) else [".", ";"]
        rows.append(f"{mark.format(count)} {shape.sentence(shape.draws.choice(ends))}")
        if shape.draws.random() < 0.3:
            rows.append(f"{indent}- {shape.sentence('')}")
    return "\n".join(rows)


def _table(shape: Shape) -> str:
    rows = [f"| {shape.words(1)} | {shape.words(2)} |" for _ in range(3)]
    return "\n".join([rows[0], "| --- | --- |", *rows[1:]])


_MARKDOWN: list[Callable[[Shape], str]] = [
    lambda shape: f"{'#' * shape.draws.randint(1, 4)} {shape.title()}",
    lambda shape: f"## {shape.draws.randint(1, 9)}. {shape.title()}",
    lambda shape: f"### {shape.draws.randint(1, 9)}.{shape.draws.randint(1, 9)}",
    lambda shape: f"{shape.title()}\n======",
    lambda shape: shape.paragraph(),
    lambda shape: shape.paragraph("\n"),
    lambda shape: shape.paragraph("  \n"),
    lambda shape: _listed(shape, "-", "  "),
    lambda shape: _listed(shape, "{}.", "   "),
    _table,
    lambda shape: f"> {shape.sentence()}\n> {shape.sentence()}",
    lambda shape: f"> [!NOTE]\n> {shape.sentence()}",
    lambda shape: f"```\n{shape.words(3)}\n{shape.words(2)}\n```",
    lambda shape: f"!!! note\n    {shape.sentence()}\n\n    {shape.sentence()}",
    lambda shape: f"::: tip {shape.words(2)}\n{shape.sentence()}\n:::",
    lambda shape: f"{shape.words(1)}\n: {shape.sentence()}",
    lambda shape: f"**Q: {shape.sentence('?')}**\n\nA: {shape.sentence()}",
    lambda shape: f"Example: {shape.sentence()}",
    lambda shape: f"1.1 {shape.sentence()}\n1.2 {shape.sentence()}\n1.2a {shape.sentence()}",
    lambda shape: f"<details>\n<summary>{shape.words(2)}</summary>\n\n{shape.sentence()}\n\n</details>",
    lambda shape: f"*{shape.words(1)}* [{shape.words(2)}](#there) ![{shape.words(1)}](x.png) `{shape.words(1)}`",
    lambda shape: f"- {shape.sentence()}\n\n  {shape.sentence()}\n\n      {shape.words(3)}",
]
_HTML: list[Callable[[Shape], str]] = [
    lambda shape: f"<h{shape.draws.randint(1, 4)}>{shape.title()}</h2>",
    lambda shape: f"<h2>{shape.draws.randint(1, 9)}. {shape.title()}</h2>",
    lambda shape: f"<p>{shape.paragraph()}",
    lambda shape: f"<p><b>1.{shape.draws.randint(1, 9)}</b> {shape.paragraph()}</p>",
    lambda shape: f"<ul><li>{shape.sentence()}<li>{shape.sentence()}<ol><li>{shape.words(2)}</li></ol></ul>",
    lambda shape: f"<table><tr><th>{shape.words(1)}<th>{shape.words(1)}<tr><td>{shape.words(2)}<td></table>",
    lambda shape: f"<dl><dt>{shape.words(1)}</dt><dd><p>{shape.sentence()}</p><p>{shape.sentence()}</p></dd></dl>",
    lambda shape: f"<pre>{shape.words(3)}\n{shape.words(2)}</pre>",
    lambda shape: f"<div>{shape.words(2)}<br>{shape.words(2)}</div>{shape.words(3)}",
    lambda shape: f"<blockquote>Example: {shape.sentence()}</blockquote>",
    lambda shape: f"<p>Q: {shape.sentence('?')}</p><p>A: {shape.sentence()}</p>",
    lambda shape: f"<details><summary>{shape.words(2)}</summary>{shape.paragraph()}</details>",
    lambda shape: (
        f'<p><a href="#x">{shape.words(2)}</a> <img alt="{shape.words(1)}"> &amp; <i>{shape.words(1)}</i></p>'
    ),
]
_RST: list[Callable[[Shape], str]] = [
    lambda shape: f"{shape.title()}\n{'~' * 40}",
    lambda shape: shape.paragraph("\n"),
    lambda shape: _listed(shape, "*", "  ").replace("\n  -", "\n\n  -").replace("\n*", "\n\n*"),
    lambda shape: f"1. {shape.sentence()}\n2. {shape.sentence()}",
    lambda shape: f"{shape.words(1)}\n    {shape.sentence()}\n\n    {shape.sentence()}",
    lambda shape: f".. note::\n\n   {shape.sentence()}\n\n   {shape.sentence()}",
    lambda shape: f".. unknown:: {shape.words(1)}\n\n   {shape.sentence()}",
    lambda shape: f"{shape.sentence('')}::\n\n    {shape.words(3)}\n    {shape.words(2)}",
    lambda shape: f"    {shape.sentence()}",
    lambda shape: f"| {shape.words(2)}\n| {shape.words(2)}",
    lambda shape: f":{shape.words(1)}: {shape.sentence()}\n:{shape.words(1)}: {shape.sentence()}",
    lambda shape: f"Example: *{shape.words(1)}* ``{shape.words(2)}`` :ref:`{shape.words(1)}`.",
]
_NUMBERED: list[Callable[[Shape], str]] = [
    lambda shape: f"{shape.draws.randint(1, 9)}. {shape.title()}",
    lambda shape: f"{shape.draws.randint(1, 9)}.{shape.draws.randint(1, 9)}. {shape.paragraph()}",
    lambda shape: f"{shape.draws.randint(1, 9)}.{shape.draws.randint(1, 9)}a {shape.paragraph(chr(10))}",
    lambda shape: f"3.2 {shape.sentence(':')}\n(a) {shape.sentence()}\n(b) {shape.sentence()}",
    lambda shape: f"4.1 {shape.sentence()}\nExample: {shape.sentence()}",
    lambda shape: f"(101.{shape.draws.randint(1, 9)}) {shape.sentence()}",
    lambda shape: f"101.{shape.draws.randint(1, 9)}.b.1. {shape.sentence()}",
    lambda shape: shape.paragraph("\n"),
    lambda shape: shape.title(),
    lambda shape: f"Glossary\n\n{shape.title()}\n1. {shape.sentence()}\n2. {shape.sentence()}",
    lambda shape: f"Q: {shape.sentence('?')}\nA: {shape.sentence()}",
    lambda shape: f"5.1 {shape.sentence(':')}\n- {shape.words(2)}\n  a. {shape.words(2)}; or\n  b. {shape.words(2)}.",
]
_PLAIN: list[Callable[[Shape], str]] = [
    lambda shape: shape.title(),
    lambda shape: f"{shape.title()}\n-----",
    lambda shape: f"{shape.title().upper()}\n    {shape.sentence()}\n    {shape.sentence()}",
    lambda shape: shape.paragraph("\n"),
    lambda shape: shape.paragraph(),
    lambda shape: _listed(shape, "-", "   "),
    lambda shape: f"Q: {shape.sentence('?')}\n\nA: {shape.sentence()}",
    lambda shape: f"{shape.title()}\n{shape.paragraph()} {shape.paragraph()}",
]
_OUTLINE: list[Callable[[Shape], str]] = [
    lambda shape: f"{shape.draws.choice('ABC')}. {shape.title()}",
    lambda shape: f"{shape.draws.choice(['I', 'II', 'III'])}. {shape.title()}",
    lambda shape: f"{shape.draws.randint(1, 4)}. {shape.title()}: {shape.sentence()}",
    lambda shape: shape.title(),
    lambda shape: shape.paragraph(),
    lambda shape: f"Example: {shape.sentence()}",
    lambda shape: f"{shape.title()} - {shape.sentence()}",
    lambda shape: f"({shape.title()})\n{shape.sentence()}",
]
_BBCODE: list[Callable[[Shape], str]] = [
    lambda shape: f"[b]{shape.title()}[/b]",
    lambda shape: f"[b]1. {shape.title()}[/b]\n{shape.paragraph()}",
    lambda shape: f"[list]\n[*]{shape.sentence()}\n[*]{shape.words(2)}\n[list][*]{shape.words(2)}[/list]\n[/list]",
    lambda shape: shape.paragraph("\n"),
    lambda shape: f"[quote]{shape.sentence()}[/quote] {shape.words(2)}",
    lambda shape: f"[spoiler]{shape.sentence()}\n{shape.sentence()}[/spoiler]",
    lambda shape: f"[table][tr][td]{shape.words(1)}[/td][td]{shape.words(1)}[/td][/tr][/table]",
]
_WIKI: list[Callable[[Shape], str]] = [
    lambda shape: f"== {shape.title()} ==",
    lambda shape: f"==={shape.title()}===",
    lambda shape: shape.paragraph("\n"),
    lambda shape: f"'''{shape.words(2)}''' ''{shape.words(1)}'' [[{shape.words(1)}]] [[x|{shape.words(1)}]].",
    lambda shape: f"* {shape.words(2)}\n** {shape.words(2)}\n*# {shape.words(2)}\n# {shape.words(2)}",
    lambda shape: f"; {shape.words(1)}\n: {shape.sentence()}",
    lambda shape: f": {shape.sentence()}<ref>{shape.words(2)}</ref>",
    lambda shape: f"{{|\n! {shape.words(1)} !! {shape.words(1)}\n|-\n| {shape.words(1)} || {shape.words(1)}\n|}}",
    lambda shape: f'{{| class="a"\n|+ {shape.words(2)}\n|-\n| {shape.words(2)}\n| {shape.words(2)}\n|}}',
]
_ASCIIDOC: list[Callable[[Shape], str]] = [
    lambda shape: f"== {shape.title()}",
    lambda shape: f"[#name]\n=== {shape.title()}",
    lambda shape: shape.paragraph("\n"),
    lambda shape: f".{shape.words(2)}\n* {shape.words(2)}\n** {shape.words(2)}",
    lambda shape: f". {shape.sentence()}\n.. {shape.sentence()}\n. {shape.sentence()}",
    lambda shape: f"NOTE: {shape.sentence()} <<name,{shape.words(2)}>> link:x[{shape.words(1)}]",
    lambda shape: f"====\nExample: {shape.sentence()}\n====",
    lambda shape: f"[source,txt]\n----\n{shape.words(2)}\n* {shape.words(2)}\n----",
    lambda shape: f"{shape.words(1)}:: {shape.sentence()}\n{shape.words(1)}:: {shape.sentence()}",
    lambda shape: f"|===\n|{shape.words(1)} |{shape.words(1)}\n\n|{shape.words(1)} |{shape.words(1)}\n|===",
]


def _listing(shape: Shape) -> str:
    settings = "   Keys: a{0}, b{0}\n   Enabled · Before character · Order {0}\n"
    counts = range(1, shape.draws.randint(2, 6))
    entries = (f"{n}. #{n}{shape.title()}\n{settings.format(n)}{shape.paragraph(chr(10))}" for n in counts)
    return "\n\n".join(entries)


def _value(shape: Shape, depth: int) -> object:
    if depth < 2 and shape.draws.random() < 0.4:
        rules = [_value(shape, depth + 1) for _ in range(shape.draws.randint(1, 3))]
        return {"title": shape.title(), "text": shape.paragraph(), shape.draws.choice(["rules", "sections"]): rules}
    if shape.draws.random() < 0.3:
        return shape.paragraph()
    return {"number": f"{shape.draws.randint(1, 99)}", "ruleText": shape.paragraph(), "examples": [shape.sentence()]}


def _records(shape: Shape) -> str:
    rules = [_value(shape, 0) for _ in range(shape.draws.randint(2, 5))]
    whole: object = {"title": "All", "rules": rules} if shape.draws.random() < 0.5 else rules
    return json.dumps(whole, indent=shape.draws.choice([None, 2]))


def _pdf(shape: Shape) -> bytes:
    def page(number: int) -> list[Set]:
        ends, gaps = shape.draws.choices(["", ".", ":"], k=8), shape.draws.choices([14, 14, 30], k=8)
        count = shape.draws.randint(1, 8)
        lines = [Set(shape.sentence(end), below=gap) for end, gap in zip(ends[:count], gaps[:count], strict=True)]
        heading = Set(shape.title(), 18, bold=True, below=40)
        return [Set("Running head", 9), heading, *lines, Set(str(number), 9, below=60)]

    return pdf([page(number) for number in range(1, shape.draws.randint(2, 5))])


def _flat_chinese(shape: Shape) -> str:
    def said(into: list[str], count: int) -> str:
        number = len(shape.body) + len(shape.headings)
        into.append("".join(_HAN[number // 30**place % 30] for place in range(3)) + "号" * count)
        return into[-1]

    kinds: list[Callable[[], str]] = [
        lambda: said(shape.headings, 1),
        lambda: f"{said(shape.body, 1)}可以移动，但是{said(shape.body, 1)}不能移动。",
        lambda: f"例：{said(shape.body, 1)}移动了。",
        lambda: f"问：{said(shape.body, 1)}吗？\n答：{said(shape.body, 1)}。",
        lambda: f"在港口的{said(shape.body, 1)}称为{said(shape.body, 1)}。",
    ]
    return "\n".join(make() for make in shape.draws.choices(kinds, k=shape.draws.randint(3, 14)))


MAKERS: dict[str, Callable[[Shape], str | bytes]] = {
    "markdown": lambda shape: f"# Top\n\n{shape.sentence()}\n\n" + shape.blocks(_MARKDOWN),
    "markdown, a wiki's": lambda shape: f"== Top ==\n{shape.sentence()}\n== Next ==\n\n" + shape.blocks(_WIKI),
    "markdown, AsciiDoc's": lambda shape: f"= Top\n\n{shape.sentence()}\n\n== Next\n\n" + shape.blocks(_ASCIIDOC),
    "html": lambda shape: f"<html><body><p>{shape.sentence()}" + shape.blocks(_HTML, "\n"),
    "restructuredtext": lambda shape: "Top\n~~~~~\n\n" + shape.blocks(_RST),
    "numbered": lambda shape: f"1.1 {shape.sentence()}\n\n" + shape.blocks(_NUMBERED),
    "plain": lambda shape: f"{shape.sentence()}\n\n" + shape.blocks(_PLAIN),
    "outline": lambda shape: f"A. {shape.title()}\n{shape.sentence()}\n" + shape.blocks(_OUTLINE, "\n"),
    "bbcode": lambda shape: f"[b]{shape.title()}[/b]\n\n" + shape.blocks(_BBCODE),
    "listing": _listing,
    "records": _records,
    "pdf": _pdf,
    "flat-chinese": lambda shape: "每个玩家都有一艘船。\n" + _flat_chinese(shape),
}
