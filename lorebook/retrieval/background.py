"""
Sentences about nothing in particular: what a similarity must stand out from.

The similarities of a small workspace say little about their own mean and spread, and a question that no
rule answers is near to something in every workspace. Every language's statistics therefore include these
sentences, as if they were passages that answer nothing.
"""

from __future__ import annotations

SENTENCES: dict[str, tuple[str, ...]] = {
    "en": (
        "The bus leaves at a quarter past seven on weekdays.",
        "She closed the window because of the noise in the street.",
        "Add a spoonful of flour and stir until the sauce thickens.",
        "The museum's new wing opens to visitors in spring.",
        "He has been learning the violin since he was nine.",
        "Prices for apples rose slightly after the dry summer.",
        "Please send the signed form back by the end of the month.",
        "The river froze over and children skated on it.",
        "Two cups of coffee and a slice of lemon cake, please.",
        "The printer is out of paper again.",
        "They walked along the beach and talked about their families.",
        "The doctor recommended more sleep and less salt.",
        "A small village lies behind the second hill.",
        "The software update fixes a problem with the calendar.",
        "Her grandmother kept bees in the orchard.",
        "The train was late, so we missed the first act.",
        "Turn left at the lights and follow the signs to the airport.",
        "The committee will vote on the budget on Thursday.",
        "It rained all night and the cellar filled with water.",
        "This chapter describes how bridges were built in the past.",
    ),
    "zh": (
        "公交车工作日七点一刻发车。",
        "外面太吵，她把窗户关上了。",
        "加一勺面粉，搅拌到汤汁变稠。",
        "博物馆的新馆春天对外开放。",
        "他从九岁开始学小提琴。",
        "夏天干旱之后苹果的价格略有上涨。",
        "请在月底之前把签好字的表格寄回来。",
        "河面结冰了，孩子们在上面滑冰。",
        "请给我两杯咖啡和一块柠檬蛋糕。",
        "打印机又没有纸了。",
        "他们沿着海边散步，聊着各自的家人。",
        "医生建议多睡觉，少吃盐。",
        "第二座山的后面有一个小村庄。",
        "这次软件更新修复了日历的问题。",
        "她的祖母在果园里养蜜蜂。",
        "火车晚点，我们没赶上第一幕。",
        "在红绿灯处左转，沿着路标去机场。",
        "委员会星期四对预算进行表决。",
        "下了一整夜的雨，地下室进了水。",
        "这一章讲述过去的人怎样造桥。",
    ),
}


def sentences_for(language: str) -> tuple[str, ...]:
    """
    Return the sentences in *language*, or those of all languages where there are none.
    """
    own = SENTENCES.get(language.partition("-")[0])
    return own or tuple(sentence for sentences in SENTENCES.values() for sentence in sentences)
