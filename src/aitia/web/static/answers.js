// Answers as they are written: the stream of the server, and citations that open their passages.
"use strict";

const answers = (() => {
  const { element } = aitia;

  // Calls back for each event of a stream: (name, value).
  async function stream(index, body, heard, signal) {
    const response = await aitia.send(aitia.rest("ask/stream", index), body, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let ended = false;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      rest += value;
      const events = rest.split("\n\n");
      rest = events.pop();
      for (const event of events) {
        const name = /^event: (.*)$/m.exec(event)?.[1];
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (!name || !data) continue; // a comment: the server lives
        ended ||= name !== "text";
        heard(name, JSON.parse(data));
      }
    }
    if (!ended) throw new Error("the answer broke off; is the server still running?");
  }

  const passage = (index, chunk, start, end) =>
    `/index/${encodeURIComponent(index)}/passage?${new URLSearchParams({ chunk, start, end })}`;

  // What a citation marks: the sentence before it, where that stands in the evidence word for word; else all of it.
  function span(citation, sentence) {
    const [start, end] = citation.span;
    const at = sentence ? citation.text.indexOf(sentence) : -1;
    return at < 0 ? [start, end] : [start + at, start + at + sentence.length];
  }

  function lastSentence(text) {
    const parts = text.trim().split(/(?<=[.!?。؟])\s+/);
    return (parts[parts.length - 1] || "").trim();
  }

  // The text with every [1] as a link to its passage.
  function write(into, answer, index) {
    const cited = new Map(answer.citations.map((each) => [each.number, each]));
    into.replaceChildren();
    const body = element("bdi");
    let before = "";
    for (const piece of answer.answer.split(/(\[\d+\])/)) {
      const number = Number(/^\[(\d+)\]$/.exec(piece)?.[1]);
      const citation = cited.get(number);
      if (!citation) {
        body.append(piece);
        if (piece.trim()) before = piece;
        continue;
      }
      if (!citation.chunk) {
        body.append(element("span", { class: "cite", title: citation.place }, String(number)));
        continue;
      }
      const [start, end] = span(citation, lastSentence(before));
      body.append(element("a", { class: "cite", href: passage(index, citation.chunk, start, end), "data-detail": true,
        title: citation.place.slice(0, 300), "aria-label": `Evidence ${number}: ${citation.place.slice(0, 100)}` }, String(number)));
    }
    into.append(body);
  }

  // Streams an answer into an element; gives the whole document back.
  async function ask(index, body, into, signal) {
    let whole = null;
    let text = "";
    into.hidden = false;
    into.classList.add("waiting");
    const said = element("bdi");
    into.replaceChildren(said);
    try {
      await stream(index, body, (name, value) => {
        if (name === "text") said.textContent = text += value.text;
        else if (name === "answer") whole = value;
        else throw new Error(value.error);
      }, signal);
      write(into, whole, index);
    } finally {
      into.classList.remove("waiting");
    }
    return whole;
  }
  return { ask, passage };
})();
