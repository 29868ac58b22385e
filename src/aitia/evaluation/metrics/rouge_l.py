"""ROUGE-L: the longest common subsequence of stems (Lin, 2004), by the package rouge-score as GraphRAG-Bench has it."""

from __future__ import annotations

from collections.abc import Sequence

from aitia.errors import UsageError
from aitia.evaluation.metrics.judged_answer import Scores, scores


def rouge_l(answers: Sequence[str], references: Sequence[str]) -> Scores:
    """The F-measure of each answer and its reference, Porter's stemmer on, shape (answers,); blank: 0.

    Only a-z and 0-9 are words to it: an answer in another script has 0.

    Raises:
        UsageError: the package is not installed.

    """
    try:
        from rouge_score.rouge_scorer import RougeScorer
        from rouge_score.tokenizers import DefaultTokenizer
    except ImportError:
        raise UsageError(
            "ROUGE-L needs the package rouge-score, which is not installed; pip install 'aitia[eval]'"
        ) from None
    # Given, not chosen by the scorer: that would log, and so print every other package's messages from then on.
    scorer = RougeScorer(["rougeL"], tokenizer=DefaultTokenizer(use_stemmer=True))
    pairs = zip(references, answers, strict=True)
    return scores(scorer.score(reference, answer)["rougeL"].fmeasure for reference, answer in pairs)
