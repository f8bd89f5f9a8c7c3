"""
The names of fields that people give to what a rule has, in English and Chinese.
"""

from __future__ import annotations

import re

from lorebook.importers.placed import Mapping, Value

TITLE = (
    "title", "name", "heading", "term", "question", "ruletitle", "rulename",
    "标题", "標題", "名称", "名稱", "问题",
)  # fmt: skip
TEXT = (
    "text", "body", "rule", "ruling", "content", "description", "answer", "definition", "rulestext", "ruletext",
    "内容", "內容", "正文", "文本", "回答", "说明",
)  # fmt: skip
KEYS = ("keys", "keywords", "key", "tags", "triggers", "关键词", "关键字", "關鍵詞")
NUMBER = ("number", "no", "num", "nr", "index", "rulenumber", "ruleno", "编号", "編號", "序号")
SECTION = ("section", "chapter", "category", "path", "group", "章节", "分类")
EXAMPLES = ("examples", "example", "例", "例子", "示例")
RELATED = ("seealso", "related", "references", "参见")
ID = ("id", "slug", "anchor", "ruleid")
RULES = ("rules", "rulings", "items", "children", "sections", "chapters", "subrules", "规则", "規則", "条目")
KNOWN = {*TITLE, *TEXT, *KEYS, *NUMBER, *SECTION, *EXAMPLES, *RELATED, *ID, *RULES}
# How names differ in writing: `ruleText`, `rule_text`, `Rule text`.
_JOINTS = re.compile(r"[\s_-]+")


def field_name(name: str) -> str:
    """
    Return *name* as the tables here spell it.
    """
    return _JOINTS.sub("", name).lower()


def fields_of(item: Mapping) -> dict[str, Value]:
    """
    Return what *item* holds, by names as the tables here spell them.
    """
    return {field_name(name): value for name, value in item.items()}


def first_of(fields: dict[str, Value], names: tuple[str, ...]) -> Value:
    """
    Return the first of *fields* by one of *names* that holds anything.
    """
    return next((fields[name] for name in names if fields.get(name)), None)
