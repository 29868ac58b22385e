from __future__ import annotations

import numpy as np
import pytest

from aitia.methods.hug.config import Ablation, QuerySettings
from aitia.methods.hug.search import carry_over, choose_seeds, chunk_scores, closeness, search

QUESTION = np.array([1.0, 0.0], np.float32)
COSINES = [0.1, 0.05, 0.02, 0.9, 0.3, 0.2, 0.05, 0.6]


def test_similarity_is_dense_and_lexical_by_their_shares(nodes):
    lexical, dense = closeness(nodes, "what of the fuse", QUESTION)
    assert dense.tolist() == pytest.approx(COSINES)
    assert lexical.tolist() == [0, 0, 0, 1, 0, 0, 0, 1]  # "Dry fuse" is as short as "fuse part"
    walk = search(nodes, "what of the fuse", QUESTION, QuerySettings(dense_share=0.7), Ablation())
    assert walk.similarities[3] == pytest.approx(0.7 * 0.9 + 0.3)
    assert walk.similarities[4] == pytest.approx(0.7 * 0.3)


def test_asked_about_is_what_shares_a_word_with_the_question_or_is_near_it(nodes):
    def asked(question):
        return np.flatnonzero(search(nodes, question, QUESTION, QuerySettings(), Ablation()).asked).tolist()

    assert asked("what of it") == [3, 7]  # cosines .9 and .6; the next is .3
    assert asked("what of a gasket") == [2, 3, 7]


def test_a_gate_carries_relevance_to_the_module_behind_it_and_its_members(nodes):
    scores = np.array([0.1, 0.05, 0.5, 0.9, 0.3, 0.1, 0.05, 0.6])
    carried = carry_over(nodes, scores, 0.7)
    # dry counts as its fuse, .9 * .7 = .63, which the gate of .75 brings to wet, and .7 of it to wet's parts;
    # wet counts as its gasket, .35, which brings .2625 to dry and .18375 to dry's parts
    assert carried.tolist() == pytest.approx([0.33075, 0.33075, 0.5, 0.9, 0.3, 0.18375, 0.4725, 0.6])


def test_carrying_equals_a_loop_over_gates_and_ancestors(nodes):
    scores = np.linspace(0.05, 0.95, 8)
    above = {row: (6 if row < 3 else 7) for row in range(6)}
    worth = [max([scores[m], *(scores[row] * 0.85 for row in above if above[row] == m)]) for m in (6, 7)]
    brought = {6: worth[1] * 0.75, 7: worth[0] * 0.75}
    expected = [max(scores[row], brought[above[row]] * 0.85) for row in range(6)]
    expected += [max(scores[module], brought[module]) for module in (6, 7)]
    assert carry_over(nodes, scores, 0.85).tolist() == pytest.approx(expected)


def test_seeds_are_the_best_of_every_level_that_score(nodes):
    scores = np.array([0.0, 0.05, 0.0, 0.9, 0.3, 0.2, 0.0, 0.6])
    assert sorted(choose_seeds(nodes, scores, 2, 2, Ablation()).tolist()) == [3, 4, 7]
    assert sorted(choose_seeds(nodes, scores, 2, 2, Ablation(hierarchy=False)).tolist()) == [3, 4]


def test_the_search_goes_through_the_gate_and_stays_here_without_it(nodes):
    """By paper weights and a question without words: gains worked by hand in the comments."""
    settings = QuerySettings(preset="paper", seeds=1, dense_share=1.0, nodes=5)
    walk = search(nodes, "", QUESTION, settings, Ablation())
    taken = walk.expansion.nodes.tolist()
    # seeds: fuse .9, dry .6; wet .4725 * .7 * 1.2 = .3969; relay .3 * .7 = .21 from dry (from the fuse .8 of it);
    # pump, valve, gasket .33075 * .49 = .1621; switch .2 * .7 = .14
    assert taken == [3, 7, 6, 4, 0]
    assert walk.expansion.stopped == "nodes"
    assert np.flatnonzero(walk.chunks).tolist() == [0, 3, 4]
    without = search(nodes, "", QUESTION, settings, Ablation(gates=False))
    assert without.expansion.nodes.tolist() == [3, 7, 4, 5]
    assert without.expansion.stopped == "exhausted"
    assert np.flatnonzero(without.chunks).tolist() == [0, 3, 4, 5]
    alone = search(nodes, "", QUESTION, settings, Ablation(hierarchy=False))
    assert alone.expansion.nodes.tolist() == [3, 4, 5]


def test_a_chunk_scores_the_squared_gains_of_its_entities_the_rarer_the_more(nodes):
    settings = QuerySettings(preset="paper", seeds=1, dense_share=1.0, nodes=4)
    scores = chunk_scores(nodes, search(nodes, "", QUESTION, settings, Ablation()).expansion)
    fuse = 0.9**2 * np.log(1 + 6 / 2)  # two of the six chunks name it
    relay = 0.21**2 * np.log(1 + 6 / 1)
    assert scores.tolist() == pytest.approx([fuse, 0, 0, fuse, relay, 0], rel=1e-5)


def test_a_budget_that_ends_before_a_passage_is_doubled_once(nodes):
    nodes.vectors[:6] = [0.0, 1.0]  # no entity is like the question, so the modules alone are seeds
    walk = search(
        nodes,
        "",
        QUESTION,
        QuerySettings(preset="paper", seeds=1, dense_share=1.0, nodes=1),
        Ablation(gates=False),
    )
    assert walk.widened
    assert walk.expansion.nodes[:2].tolist() == [7, 6]
