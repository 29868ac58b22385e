"""Patterns over the shape of a sentence, in the letters of `shape`.

Those that look back end in ``$``, the place of the cue; the others are matched behind it.
"""

from __future__ import annotations

import re

NP = r"(?:H?G?N|H?G)"
ITEM = rf"{NP}(?:A?[op]A?{NP})*"
"""A phrase with its complements: "loss of appetite"."""

NEXT_VERB = r"(?!r?[ABV]*[VKB])"
"""Not before a verb: in "X causes Y and Z leads to W", Z is no effect of X."""

SERIES = rf"{ITEM}(?:(?:,A?{ITEM})*,?cA?p?{ITEM}{NEXT_VERB})?"
CHAIN = rf"{ITEM}(?:A?EA?(?:[op]{NP})*|J[op]{NP})*"
"""A phrase that may be a subject, with participles: "signs placed at the square"."""

SUBJECTS = rf"(?:{CHAIN}(?:,A?{CHAIN})*,?cA?)?{CHAIN}"
GROUP = r"[ABt]*"
"""What may stand between a subject and its verb: auxiliaries, adverbs, "to"."""

# Looking back from a verb or preposition
PLAIN = re.compile(rf"({SUBJECTS}){GROUP}$")  # the storm may [cause]
RELATIVE = re.compile(rf"({SUBJECTS}),?p?r{GROUP}$")  # germs that [cause]
RESUMED = re.compile(rf"({CHAIN}),?r{GROUP}[VK][AVt]*(?:p?{SUBJECTS})?,?{GROUP}$")  # germs that grow [cause]
APPOSED = re.compile(rf"(?<![VKpo,])({CHAIN}),[^;s]*,{GROUP}$")  # radon, a gas, [causes]
EXTRAPOSED = re.compile(rf"({CHAIN})[ABVEJ]+,A*$")  # a riot broke out, [caused by]
CLASSED = re.compile(
    rf"({SUBJECTS})A*BA*(?:G?N|G)(?:o{NP})*(?:,?r)?{GROUP}$"
)  # germs are things that [cause]
SHARED = re.compile(rf"[VKB](?=[^VKB;s]*,?c{GROUP}$)")  # X raises Y and [causes]
MEANS = re.compile(rf"[VKB](?=[^VKB;s]*p{GROUP}$)")  # X works by [reducing]
CLAUSE = re.compile(rf"([^;s]*[VKB][^;s]*),{GROUP}$")  # rain fell, [causing]
MAIN_CLAUSE = re.compile(rf"([^;s,]*[VKBE][^;s,]*){GROUP}$")  # it is done in winter [depending on]
PURPOSE = re.compile(rf"({SUBJECTS}){GROUP}B{GROUP}(?P<verb>[VKE])[^;,s]*t{GROUP}$")  # X is given to [reduce]
MEANT = re.compile(rf"(?P<verb>[VKEG])[^VKEGB;,s]*t{GROUP}$")  # take X to [reduce]
OBJECT_RELATIVE = re.compile(rf"({CHAIN})r?({CHAIN})A*$")  # the damage that the storm [caused]

# Looking back from a noun
PREDICATE = re.compile(rf"({SUBJECTS})[ABV]*(?P<verb>[VBK])A*(?:No|p)?$")  # X is one of the [causes of]
NAMED = re.compile(rf"(?<![VKpo,])({CHAIN}),$")  # X, a [cause of]

# Behind a cue
OBJECTS = re.compile(rf"[At]*({SERIES}(?:,?h{SERIES})?)")  # [causes] damage, such as floods and fire
AGENTS = re.compile(rf"[At]*({SERIES}(?:h{SERIES})?)")  # [caused by] rain and wind
AGENTS_WITHIN = re.compile(rf"[At]*({SUBJECTS})")  # the damage [caused by] rain and wind was
GERUND_SUBJECT = re.compile(rf"{SERIES}A*[VBK]")  # ", [reducing] Y is"
EQUATED = re.compile(rf"{ITEM}[AV]*[VB]A*({SERIES})")  # [causes of] Y are X and Z
LISTED = re.compile(rf"{ITEM}[ABV]*[VB]A*(?P<colon>;)({ITEM}(?:[,;]?c?A?{ITEM}{NEXT_VERB})*)")
INFLUENCE = re.compile(rf"({NP}(?:o{NP}|cA?{NP})*)p({SERIES})")  # [effect of] X on Y
OPENING = re.compile(rf"{SERIES},A*({SUBJECTS}){GROUP}[VKB]")  # [because of] the drought, prices rose

# Clauses
CLAUSE_BEFORE = re.compile(r"([^;s]*[VKB][^;s]*)[;,]c?$")  # rain fell; [therefore]
CLAUSE_BEHIND = re.compile(r",?([^;s]*[VKBE][^;s]*)")
SUBJECT = re.compile(rf"({ITEM}){GROUP}[VKB]")

# Within a series
HEADS = re.compile(rf"(?:^|[,ch])[Ap]*({ITEM})")
INNER = re.compile(rf"{NP}(?:A?[op]A?{NP})+c{NP}")  # spasms of arms and legs: one item, not two
ITEMS = re.compile(ITEM)
