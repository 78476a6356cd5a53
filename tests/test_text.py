"""Text as the rubric reads it (rubric, "Appears", steps 1 to 5, and "Language"), each rule alone.

What the rules do together to a whole answer is in test_cases.py.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from benchmark.text import appears
from benchmark.text.appears import Haystack
from benchmark.text.markup import visible
from benchmark.text.normalise import fold, letters, normalise
from benchmark.text.traced import Traced

# Step 1 -------------------------------------------------------------------------------------------

VISIBLE = {
    "a link leaves its text": ("[price list](https://x.example/p)", "price list"),
    "its title goes with its address": ('[a](b "c 120")', "a"),
    "brackets inside its text": ("[a [b]](c)", "a [b]"),
    "brackets inside its address": ("[a](b_(c))", "a"),
    "brackets that are no link": ("[a] (b)", "[a] (b)"),
    "a reference link leaves its text": (
        "[the list][7] is here\n\n[7]: https://x.example/p",
        "the list is here\n\n",
    ),
    "a footnote without an address": ("[the list][7] is here", "[the list][7] is here"),
    "a block tag breaks the line": ("a<p>b</p>c", "a\nb\nc"),
    "a cell is a block": ("1<td>2</td>", "1\n2\n"),
    "br in every way": ("a<br>b<br/>c<BR />d", "a\nb\nc\nd"),
    "an inline tag leaves nothing": ("12<b>0</b>", "120"),
    "an unknown tag is inline": ("12<x-y>0</x-y>", "120"),
    "an attribute may hold >": ('<a title="x > y">c</a>', "c"),
    "less and greater are no tag": ("a < b and c > d, x<5", "a < b and c > d, x<5"),
    "a tag that never ends is none": ("a<b", "a<b"),
    "a script goes with its content": ("a<script>120</script>b", "ab"),
    "a style that never ends": ("a<STYLE type=x>120", "a"),
    "a comment goes with its content": ("a<!-- 120\n -->b", "ab"),
    "a doctype": ("<!DOCTYPE html>a", "a"),
    "entities are decoded": ("&#36;120 &#x24;5&nbsp;&quot;", '$120 $5\xa0"'),
    "entities are decoded once": ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
    "a decoded tag is text": ("&lt;b&gt;c", "<b>c"),
    "an ampersand alone": ("R&D at AT&T", "R&D at AT&T"),
    "emphasis in every way": ("**120** *a* _b_ __c__ ***d*** ~~e~~ `f`", "120 a b c d e f"),
    "emphasis inside a word": ("12**0**5", "1205"),
    "_ inside a word is none": ("snake_case_name", "snake_case_name"),
    "a mark without its partner": ("**a and * b", "**a and * b"),
    "a list's mark": ("* item", "* item"),
    "a product": ("2*3*4", "2*3*4"),
    "marks of two paragraphs are no pair": ("*a\n\nb*", "*a\n\nb*"),
    "an address goes": ("See https://x.example/120 now", "See \n now"),
    "an address of any scheme": ("ftp://x.example/120", "\n"),
    "an address in angle brackets": ("<https://x.example/120>", "\n"),
    "a domain is no address": ("x.example/120", "x.example/120"),
}


@pytest.mark.parametrize("text, seen", VISIBLE.values(), ids=VISIBLE)
def test_visible(text: str, seen: str) -> None:
    """Step 1: markup leaves what a reader sees."""
    assert visible(text).text == seen


def test_addresses_are_kept_for_a_spelling_that_is_one() -> None:
    """An address goes "unless the spelling is an address itself"; the address of a link goes even
    then."""
    assert visible("See https://x.example/a", keep_addresses=True).text == "See https://x.example/a"
    assert visible("[a](https://x.example/a)", keep_addresses=True).text == "a"


# Step 2 -------------------------------------------------------------------------------------------

FOLDED = {
    "NFC": ("cafe\u0301", "caf\u00e9"),
    "digits of every script": (
        "\u0661\u0662\u0660 \u06f1\u06f2\u06f0 \u0967\u0968\u0966 \uff11\uff12\uff10 \U0001d7cf",
        "120 120 120 120 1",
    ),
    "superscripts are no digits": ("m² ①", "m² ①"),
    "Arabic separators": ("1\u066b5 1\u066c000 5\u066a", "1.5 1,000 5%"),
    "dashes": ("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "---------"),
    "maqaf": ("בית\u05beספר", "בית-ספר"),
    "apostrophes and geresh": ("a\u2019b\u2018c\u05f3d\u2032e\uff07", "a'b'c'd'e'"),
    "quotes and gershayim": ("a\u201cb\u201dc\u201ed\u00abe\u00bbf\u05f4g", 'a"b"c"d"e"f"g'),
    "two apostrophes": ("a''b\u2019\u2019c\u05f3\u05f3", 'a"b"c"'),
    "white space of any kind": ("a\t b\u2003\u3000c", "a b c"),
    "no-break and thin spaces wait for step 3": (
        "a\u00a0b\u202fc\u2009d\u2007e",
        "a\u00a0b\u00a0c\u00a0d\u00a0e",
    ),
    "a no-break space beside another": ("a\u00a0 b \u00a0c", "a b c"),
    "line breaks of any kind": ("a\r\nb\u2028c\x85d\ve", "a\nb\nc\nd\ne"),
    "white space around a line break": ("a \t\n\n  b", "a\nb"),
    "zero-width characters": ("a\u200bb\u200cc\u200dd\u2060e\ufeff", "abcde"),
    "bidi marks": ("\u200ea\u200f\u202eb\u202c\u2066c\u2069", "abc"),
    "soft hyphen": ("a\u00adb", "ab"),
    "niqqud": ("שָׁלוֹם", "שלום"),
    "tashkeel": ("مَرْحَبًا", "مرحبا"),
    "tatweel": ("مـرحبا", "مرحبا"),
    "stress": ("за\u0301мок", "замок"),
    "case": ("ÀB Щ ẞ Σς", "àb щ ss σσ"),
    "yo is ye": ("ё Ё е\u0308", "е е е"),
    "short i stays": ("й Й и\u0306", "й й й"),
    "alefs": ("أ إ آ ٱ", "ا ا ا ا"),
    "alef maksura is ya": ("مستشفى", "مستشفي"),
    "ta marbuta stays": ("عيادة", "عيادة"),
}


@pytest.mark.parametrize("text, folded", FOLDED.values(), ids=FOLDED)
def test_fold(text: str, folded: str) -> None:
    """Step 2: characters of equal meaning become one, and what carries no meaning goes."""
    assert fold(Traced(text)).text == folded


# Step 3 -------------------------------------------------------------------------------------------

NORMALISED = {
    "comma groups": ("1,234 and 1,234,567", "1234 and 1234567"),
    "apostrophe groups": ("1'234’567", "1234567"),
    "no-break groups": ("1\u00a0234\u00a0567", "1234567"),
    "thin groups": ("1\u2009234 and 12\u202f345", "1234 and 12345"),
    "two groups by a plain space": ("2 500", "2500"),
    "three groups by a plain space are several numbers": ("1 234 567", "1 234 567"),
    "a leading zero": ("0,123 and 012 345", "0,123 and 012 345"),
    "groups of other lengths": (
        "1,23,456 and 1234,567 and 1,2345",
        "1,23,456 and 1234,567 and 1,2345",
    ),
    "not after a decimal point or in a time": ("1.5 000 and 8:30 100", "1.5 000 and 8:30 100"),
    "a comma before one last digit": ("12,5", "12.5"),
    "a comma before two last digits": ("1 234,56", "1234.56"),
    "a list of digits": ("1,2,3", "1,2,3"),
    ".00 after three digits": ("120.00 and 1,200.00 and 120,00", "120 and 1200 and 120"),
    ".00 beside a currency sign": ("$5.00 and 5.00 ₪ and € 5,00", "$5 and 5₪ and €5"),
    ".00 elsewhere stays": ("5.00 and 12.00", "5.00 and 12.00"),
    ".000 is not .00": ("120.000 and $5.001", "120.000 and $5.001"),
    "an hour's leading zero": ("08:00 and 00:30 and 18:00", "8:00 and 0:30 and 18:00"),
    "minutes keep theirs": ("10:08:00", "10:08:00"),
    "am and pm": ("8 a.m. 8 A.M. 8am 8 am 8:30 p. m.", "8am 8am 8am 8am 8:30pm"),
    "amps are no am": ("8 amps and a.m.", "8 amps and a.m."),
    "spaces around a range's hyphen": ("8 – 16 and 9:00 - 17:00", "8-16 and 9:00-17:00"),
    "spaces around another hyphen": ("a - 5 and 5 - a", "a - 5 and 5 - a"),
    "a currency sign's space": ("$ 120 and 120 ₪ and 5\u00a0€", "$120 and 120₪ and 5€"),
    "a percent sign's space": ("5 %", "5%"),
    "a hyphen between letters": ("Wi-Fi בית־ספר", "wi fi בית ספר"),
    "a hyphen beside a digit": ("ב־8 and 9-часовой", "ב-8 and 9-часовой"),
    "no number crosses a line": (
        "1\n234 and 8 -\n16 and $\n5 and 12\n,5",
        "1 234 and 8 - 16 and $ 5 and 12 ,5",
    ),
    "nor a block tag": ("1<br>234<p>567", "1 234 567"),
    "at last one line": ("\n a \u00a0 b\n", "a b"),
}


@pytest.mark.parametrize("text, normalised", NORMALISED.values(), ids=NORMALISED)
def test_normalise(text: str, normalised: str) -> None:
    """Step 3, after 1 and 2: one way to write a number, within a line; then one line."""
    assert normalise(text).text == normalised


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """A spelling is read anew in each test, so that no test lives on another's reading."""
    appears._words.cache_clear()
    appears._normalised.cache_clear()


# Steps 4 and 5 ------------------------------------------------------------------------------------

FOUND = {
    "both sides are normalised": ("8 – 16", "open 8-16"),
    "a digit before a full stop": ("120", "It costs $120."),
    "a digit before a comma and no digit": ("120", "120, or less"),
    "a colon and a space": ("120", "120: 30 people"),
    "a trailing .00": ("12", "12.00"),
    "a digit touches a letter": ("120", "a120b"),
    "a letter beside an apostrophe": ("cat", "the cat's"),
    "Latin s": ("cat", "two cats"),
    "Latin es": ("box", "two boxes"),
    "s at the end of several words": ("first visit", "first visits"),
    "one Cyrillic letter": ("суббот", "в субботу"),
    "two Cyrillic letters": ("суббот", "субботой"),
    "one Hebrew prefix": ("מחיר", "המחיר"),
    "three Hebrew prefixes": ("מחיר", "ושבמחיר"),
    "a Hebrew prefix before each word": ("ספר עברי", "הספר העברי"),
    "a Hebrew prefix before Latin": ("wifi", "בwifi"),
    "a Hebrew prefix and a digit": ("120", "ב120"),
    "Arabic article": ("مركز", "المركز"),
    "Arabic compound": ("مركز", "للمركز والمركز"),
    "an Arabic article before each word": ("مركز طبي", "المركز الطبي"),
    "an Arabic compound inside": ("مركز طبي", "المركز والطبي"),
    "a hyphen is a space": ("follow up", "a follow-up visit"),
    "words on two lines": ("31 Lantern Row", "31 Lantern\nRow"),
    "an address": ("https://x.example/a", "see https://x.example/a now"),
    "long digits with other characters between": ("(212) 555-0187", "212.555.0187"),
    "two characters between": ("(212) 555-0187", "(212) 555 0187"),
    "spaces around a hyphen": ("5550187", "555 - 0187"),
    "a date": ("31.12.2026", "31/12/2026"),
    "a letter touches long digits": ("5550187", "x555-0187y"),
    "a space before more digits": ("5550187", "555-0187 1"),
    "no number that step 3 makes hides a phone": ("555-0142", "Room 12 555-0142"),
    "long numbers too": ("1,234,567", "1 234 567"),
    "a prefix that is the spelling": ("ב", "בב"),
    "an ending after a single letter": ("plan B", "two plan Bs"),
    "s after the first letter of Latin": ("visa", "two visas"),
    "s after the last letter of Latin": ("\u024f", "\u024fs"),
}
NOT_FOUND = {
    "nothing": ("", "a"),
    "nothing that is visible": ("\u200b", "a\u200b"),
    "inside a number": ("120", "1200"),
    "at the end of a number": ("120", "5120"),
    "a number with thousands": ("120", "1,120"),
    "after a decimal point": ("5", "3.5"),
    "before a decimal point": ("12", "12.5"),
    "before .00 and more": ("12", "12.00.5"),
    "before .000": ("12", "12.000"),
    "before a colon and a digit": ("8", "8:30"),
    "after a colon and a digit": ("30", "8:30"),
    "inside a time": ("8:00", "18:00"),
    "inside a word": ("no", "know"),
    "Latin s and more": ("cat", "catsy"),
    "s inside the spelling": ("first visit", "firsts visit"),
    "three Cyrillic letters": ("суббот", "субботами"),
    "no Cyrillic letters before": ("суббот", "посуббот"),
    "Cyrillic letters inside the spelling": ("первый визит", "первыйх визит"),
    "s after Cyrillic": ("суббот", "субботs"),
    "four Hebrew prefixes": ("מחיר", "ושהבמחיר"),
    "no prefix letter": ("מחיר", "אמחיר"),
    "a prefix of the spelling": ("המחיר", "מחיר"),
    "a letter after Hebrew": ("מחיר", "מחירי"),
    "no Arabic prefix": ("مركز", "سمركز"),
    "an Arabic prefix before Latin": ("wifi", "الwifi"),
    "an Arabic prefix before Latin inside": ("مركز wifi", "مركز الwifi"),
    "letters are not folded together": ("cafe", "café"),
    "short i is no i": ("и", "й"),
    "in a link's address": ("120", "[list](/120)"),
    "in an address": ("120", "https://x.example/120"),
    "six digits are not compared by digits": ("555-018", "555018"),
    "three characters between": ("5550187", "555---0187"),
    "another character between": ("5550187", "555,0187"),
    "long digits on two lines": ("5550187", "555\n0187"),
    "long digits in another order": ("5550187", "0187-555"),
    "a digit before": ("5550187", "1555-0187"),
    "a digit before, through a hyphen": ("5550187", "1-555-0187"),
    "a digit after, through a full stop": ("5550187", "555-0187.1"),
    "a digit after, through a slash": ("31.12.2026", "31.12.2026/1"),
    "a prefix letter inside a word": ("מחיר", "ab אהמחיר"),
    "Cyrillic after Hebrew": ("מחיר", "מחירов"),
    "Cyrillic after Greek": ("μετρο", "μετροов"),
    "a denied number in words": ("8:00", "eight in the morning"),
}


@pytest.mark.parametrize("spelling, text", FOUND.values(), ids=FOUND)
def test_appears(spelling: str, text: str) -> None:
    """Steps 4 and 5: where a spelling appears, and which it was."""
    span = Haystack(text).find(spelling)
    assert span is not None
    assert span.what == spelling


@pytest.mark.parametrize("spelling, text", NOT_FOUND.values(), ids=NOT_FOUND)
def test_does_not_appear(spelling: str, text: str) -> None:
    """Steps 4 and 5: what is only a part of something else does not appear."""
    assert Haystack(text).find(spelling) is None


def test_a_denied_fact_appears() -> None:
    """The rule is literal: "a fact that the answer denies still appears"."""
    assert Haystack("It does not cost $120.").find("120")


def test_a_decline_phrase_matches_anywhere() -> None:
    """Decline phrases "use the same normalised text, but match anywhere": no edges."""
    answer = Haystack("It is **un**able to find-out")
    assert answer.find("able to find") is None
    assert answer.find_anywhere(normalise("able to find").text, "able to find")
    assert answer.find_anywhere("", "") is None
    assert Haystack("Not x, not x.").find_anywhere("not x", "Not X") == (0, 5, "Not X")


# Positions ----------------------------------------------------------------------------------------

PLACES = {
    "as it stands": ("It costs 120 dollars", "120", "120"),
    "tags inside": ("Costs <b>1</b>,250 dollars", "1250", "1</b>,250"),
    "entities": ("a&#36;120!", "$120", "&#36;120"),
    "emphasis around": ("— **120** —", "120", "120"),
    "emphasis inside": ("See [the **price** list](u) x", "price list", "price** list"),
    "marks that went": ("в ка\u0301фе.", "кафе", "ка\u0301фе"),
    "two characters from one": ("Die Straße ist", "strasse", "Straße"),
    "hours": ("Open 8 a.m. daily", "8am", "8 a.m."),
    "an hour's zero": ("from 08:00 on", "8:00", "8:00"),
    "a range": ("from 5 – 7 pm", "5-7", "5 – 7"),
    "thousands": ("за 2\u202f500 руб", "2500", "2\u202f500"),
    "a currency sign before": ("for $ 5.00 now", "$5", "$ 5"),
    "the ending belongs to it": ("two cats!", "cat", "cats"),
    "a prefix does not": ("זה המחיר.", "מחיר", "מחיר"),
    "a phone": ("tel. (555) 0187.", "555-0187", "555) 0187"),
    "after a block": ("a <br>120<br> b", "120", "120"),
    "on two lines": ("street  \n 5", "street 5", "street  \n 5"),
    "the first of two": ("120 or 120", "120", "120"),
    "after characters of two code units": ("\U0001f600 120", "120", "120"),
    "one character from two": ("a cafe\u0301.", "café", "cafe\u0301"),
    "a currency sign after": ("за 500 ₽ в год", "500₽", "500 ₽"),
    "a mark on the only letter": ("ש\u05c1", "ש", "ש\u05c1"),
    "a currency sign alone": ("за 500 ₽ в год", "₽", "₽"),
}


@pytest.mark.parametrize("text, spelling, found", PLACES.values(), ids=PLACES)
def test_place_in_the_answer_as_received(text: str, spelling: str, found: str) -> None:
    """A match is shown in the answer that the platform gave, markup and all."""
    span = Haystack(text).find(spelling)
    assert span is not None
    assert (text[span.start : span.end], span.start) == (found, text.index(found))


# Language -----------------------------------------------------------------------------------------

LETTERS = {
    "each script": ("ab אבג где ё عيادة", {"en": 2, "he": 3, "ru": 4, "ar": 5}),
    "any other script": ("αβ 中 ab", {"": 3, "en": 2}),
    "nothing but letters": ("120 $ — ! 😀", {}),
    "accents are letters": ("é ø ß", {"en": 3}),
    "marks are none": ("שָׁ", {"he": 1}),
    "an address": ("где https://x.example/abc", {"ru": 3}),
    "a link's text counts": ("[abc](https://x.example/где)", {"en": 3}),
    "an e-mail address": ("где office@clinic.example!", {"ru": 3}),
    "a bare domain and its path": ("где clinic.example/abc?d=e", {"ru": 3}),
    "a bare domain and a full stop": ("где slatech.ai. Да", {"ru": 5}),
    "a bare domain after an ellipsis": ("где ...clinic.example", {"ru": 3}),
    "www": ("где www.clinic.test/abc", {"ru": 3}),
    "a last label that is none of the list": ("abc.test", {"en": 7}),
    "tags and scripts": ("<p class=abc>где</p><script>abc</script>", {"ru": 3}),
}


@pytest.mark.parametrize("text, counted", LETTERS.values(), ids=LETTERS)
def test_letters(text: str, counted: dict[str, int]) -> None:
    """Letters of the visible text by script, with every link, e-mail address and bare domain left
    out."""
    assert letters(text) == counted


# Purity and hostile input -------------------------------------------------------------------------


def test_the_same_text_always_gives_the_same() -> None:
    """Pure: what was looked at before, and in which order, changes nothing."""
    pairs = [*FOUND.values(), *NOT_FOUND.values()]
    first = [Haystack(text).find(spelling) for spelling, text in pairs]
    again = [Haystack(text).find(spelling) for spelling, text in reversed(pairs)]
    shared = Haystack("120 cats, [x](y) https://x.example/a, 555 - 0187")
    asked = [shared.find(spelling) for spelling, _ in pairs]
    assert first == again[::-1]
    assert [shared.find(spelling) for spelling, _ in reversed(pairs)] == asked[::-1]


HOSTILE = {
    "nothing but stars": "*",
    "emphasis that never ends": "**a",
    "brackets": "[](",
    "opening tags": '<a "',
    "comments": "<!--",
    "entities": "&amp;",
    "groups": "1 000 ",
    "no-break spaces": "\u00a0",
    "line breaks": " \n",
    "combining marks": "\u0301",
    "lone surrogates": "\ud800",
    "NUL": "\0",
    "addresses": "http://",
    "e-mail addresses": "a@",
    "a spelling, nearly": "$1200",
}
SLOW = {  # with as many characters as the square of the length would show in
    "spaces": (" ", 50_000),
    "opening scripts": ("<script", 200_000),
    "domains, nearly": ("a.", 50_000),
    "numbers with points": ("ab120.5", 50_000),
    "marks out of order": ("\u0301\u0316", 40_000),
    "Hebrew prefixes": ("ו", 100_000),
    "spaces in a link": ("[a](" + " " * 50_000, 50_004),
}


@contextmanager
def cpu_seconds(most: float) -> Iterator[None]:
    """TimeoutError after so many seconds of this process's own time, whatever else the machine
    does."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def look(text: str, *spellings: str) -> None:
    haystack = Haystack(text)
    for spelling in spellings:
        haystack.find(spelling)
    letters(text)


@pytest.mark.parametrize(
    "unit, size",
    [
        *(pytest.param(unit, 50_000, id=name) for name, unit in HOSTILE.items()),
        *(pytest.param(*given, id=name) for name, given in SLOW.items()),
    ],
)
def test_hostile_text_is_read_in_time(unit: str, size: int) -> None:
    """One repeated unit is read without an exception, in time that grows with the length alone."""
    with cpu_seconds(1.5):
        look(unit * (size // len(unit)), "120", "555-0142", "ו")


@pytest.mark.parametrize("unit", ["1 000 ", '<a "', "[](", "A first visit costs $120. "])
def test_a_megabyte(unit: str) -> None:
    """A text too long to be traced is read by the same rules, in time that grows with its length
    alone."""
    with cpu_seconds(5):
        look(unit * (1_000_000 // len(unit)), "555-0142")
