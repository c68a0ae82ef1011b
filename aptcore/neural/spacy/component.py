"""The component: ``nlp.add_pipe("aptamr")`` parses each sentence of a document to a graph.

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("aptamr", config={"beam": 5})
    doc = nlp("The boy wants to go. She left.")
    for sent in doc.sents:
        print(aptcore.format_penman(sent._.amr), sent._.amr_tokens)

It reads the text of a sentence as ``AptParser.parse`` does, not spaCy's tokens, and needs
nothing of the pipeline but sentence starts. ``aptcore.neural.spacy.attributes`` has what it
sets.
"""

import multiprocessing
import os
import shutil
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Literal

import srsly
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import raise_error

from aptcore.errors import AptamrError, CheckpointError, InputError
from aptcore.graph.wiki import DictionaryLinker, linker_of
from aptcore.neural.spacy.attributes import register_attributes, store_graph, text_of

if TYPE_CHECKING:
    from aptcore.neural.parser import AptParser

SENTENCES = 256
"""Sentences parsed together, at least one document's."""

MODEL = "model"
"""What ``exclude`` calls the model folders; on disk they are ``model-1``, ``model-2``, ..."""

ErrorHandler = Callable[[str, Any, list[Doc], Exception], None]


class AptamrComponent:
    """Parses the sentences of documents, each process with a model of its own.

    The model is loaded when the first sentence comes. In a process that spaCy starts for
    ``n_process`` PyTorch computes in one thread: several would wait for each other, and those
    of the parent are not there after a fork.

    Args:
        name: Of the component in its pipeline.
        models: Model folders, several for an ensemble; none is the shipped model.
        settings: ``device`` and ``precision`` of ``AptParser.from_pretrained``.
        options: ``beam`` and ``detached`` of ``AptParser.parse``.
        wiki: Whether named things get ``:wiki``.
    """

    def __init__(
        self,
        name: str,
        models: list[str],
        settings: dict[str, Any],
        options: dict[str, Any],
        wiki: bool,
    ) -> None:
        self.name = name
        self.models = models
        self.settings = settings
        self.options = options
        self.wiki = wiki
        self._error_handler: ErrorHandler = raise_error
        self._parser: AptParser | None = None
        self._linker: DictionaryLinker | None = None
        self._process = 0

    def __getstate__(self) -> dict[str, Any]:
        """Give all but what each process has of its own."""
        return {**self.__dict__, "_parser": None, "_linker": None}

    @property
    def parser(self) -> "AptParser":
        """The parser, loaded when it is first asked for.

        Raises:
            CheckpointError: If the model cannot be loaded.
        """
        if self._process != os.getpid():
            self._process = os.getpid()
            if multiprocessing.parent_process() is not None:
                import torch

                torch.set_num_threads(1)
        if self._parser is None:
            from aptcore.neural.parser import AptParser  # here, because it loads torch

            self._parser = AptParser.from_pretrained(self.models or None, **self.settings)
            self._linker = linker_of([Path(m) for m in self.models]) if self.wiki else None
        return self._parser

    def __call__(self, doc: Doc) -> Doc:
        """Parse the sentences of one document.

        Raises:
            InputError: If nothing has set where its sentences start.
            CheckpointError: If the model cannot be loaded.
        """
        self._parse(sentences_of(doc))
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Parse the sentences of many documents together.

        Args:
            stream: The documents.
            batch_size: How many are parsed together at most; fewer where they are long.

        Yields:
            The documents in order. One that cannot be parsed goes to the error handler,
            which raises unless another was set.
        """
        docs: list[Doc] = []
        sents: list[Span] = []
        for doc in stream:
            try:
                sents += sentences_of(doc)
            except InputError as error:
                yield from self._parsed(docs, sents)
                docs, sents = [], []
                self._error_handler(self.name, self, [doc], error)
                continue
            docs.append(doc)
            if len(docs) >= batch_size or len(sents) >= SENTENCES:
                yield from self._parsed(docs, sents)
                docs, sents = [], []
        yield from self._parsed(docs, sents)

    def set_error_handler(self, error_handler: ErrorHandler) -> None:
        """Say what becomes of documents that cannot be parsed."""
        self._error_handler = error_handler

    def get_error_handler(self) -> ErrorHandler:
        """Give what becomes of documents that cannot be parsed."""
        return self._error_handler

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Copy the model folders, the shipped one too, so that the pipeline can travel.

        Args:
            path: A folder, made if absent.
            exclude: ``model`` leaves them out.
        """
        path = Path(path)
        path.mkdir(parents=True, exist_ok=True)
        if MODEL in exclude:
            return
        fresh = Path(mkdtemp(prefix=".", dir=path))  # the models may stand in ``path`` already
        try:
            for number, files in enumerate(self._model_files(), 1):
                (folder := fresh / f"{MODEL}-{number}").mkdir()
                for file in files:
                    shutil.copyfile(file, folder / file.name)
            for old in path.glob(f"{MODEL}-*"):
                shutil.rmtree(old)
            for folder in fresh.iterdir():
                folder.replace(path / folder.name)
        finally:
            shutil.rmtree(fresh)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "AptamrComponent":
        """Use the model folders in a folder of :meth:`to_disk`, where there are any."""
        folders = sorted(Path(path).glob(f"{MODEL}-*"), key=lambda f: (len(f.name), f.name))
        if folders and MODEL not in exclude:
            self.models, self._parser = [str(folder) for folder in folders], None
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Give what :meth:`to_disk` writes."""
        names = [] if MODEL in exclude else self._model_files()
        models = [{file.name: file.read_bytes() for file in files} for files in names]
        return bytes(srsly.msgpack_dumps({MODEL: models}))

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "AptamrComponent":
        """Use the models of :meth:`to_bytes`; they lie in a temporary folder meanwhile."""
        models = [] if MODEL in exclude else srsly.msgpack_loads(data)[MODEL]
        if models:
            kept = Path(mkdtemp(prefix="aptamr-"))
            weakref.finalize(self, _remove, kept, os.getpid())
            for number, files in enumerate(models, 1):
                (folder := kept / f"{MODEL}-{number}").mkdir()
                for name, content in files.items():
                    (folder / Path(name).name).write_bytes(content)
            self.from_disk(kept)
        return self

    def _model_files(self) -> list[list[Path]]:
        """List the files of each model folder."""
        from aptcore.neural.checkpoint import shipped_model

        found = []
        for folder in [Path(model) for model in self.models] or [shipped_model()]:
            if not folder.is_dir():
                raise CheckpointError(f"there is no model folder {folder}")
            found.append(sorted(file for file in folder.iterdir() if file.is_file()))
        return found

    def _parsed(self, docs: list[Doc], sents: list[Span]) -> Iterator[Doc]:
        try:
            self._parse(sents)
        except AptamrError as error:
            self._error_handler(self.name, self, docs, error)
        else:
            yield from docs

    def _parse(self, sents: list[Span]) -> None:
        """Parse sentences, each named by its number in its document, from 1."""
        if not sents:
            return
        from aptcore.neural.parses import described, wikified

        number, before = 0, None
        parses = self.parser.parse([text_of(sent) for sent in sents], **self.options)
        for sent, parse in zip(sents, parses, strict=True):
            number, before = (number + 1 if sent.doc is before else 1), sent.doc
            parse = wikified(parse, self._linker)
            own = parse.sentence
            sentence = replace(own, id=str(number), text=own.text.strip())
            store_graph(sent, described(replace(parse, sentence=sentence)))


def _remove(folder: Path, process: int) -> None:
    """Remove a temporary folder, but not from a process forked from the one that made it."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def sentences_of(doc: Doc) -> list[Span]:
    """Give the sentences of a document.

    Raises:
        InputError: If nothing has set where they start.
    """
    if not doc.has_annotation("SENT_START"):
        raise InputError(
            "aptamr parses sentence by sentence, and nothing has set where the sentences of "
            f"{doc.text[:40]!r} start: add a component that does, before this one, such as "
            'nlp.add_pipe("sentencizer", before="aptamr")'
        )
    return list(doc.sents)


@Language.factory(
    "aptamr",
    default_config={
        "model": None,
        "beam": 10,
        "detached": "join",
        "device": "auto",
        "precision": "float32",
        "wiki": False,
    },
    requires=["doc.sents"],
    assigns=["doc._.amr", "span._.amr", "span._.amr_tokens"],
)
def make_component(
    nlp: Language,
    name: str,
    model: str | list[str] | None,
    beam: int,
    detached: Literal["join", "drop"],
    device: Literal["auto", "cpu", "cuda"],
    precision: Literal["float32", "bfloat16", "int8"],
    wiki: bool,
) -> AptamrComponent:
    """Make the component from its block of a pipeline's configuration.

    Args:
        nlp: The pipeline.
        name: Of the component in it.
        model: A model folder, several for an ensemble, or None for the shipped model.
        beam: Width of the search; 1 is greedy.
        detached: Whether a piece that nothing connects is joined to the root or dropped.
        device: Where to run; without CUDA always the CPU.
        precision: Of linear maps.
        wiki: Whether named things get ``:wiki``.

    Raises:
        ConfigurationError: If an attribute that it sets is in use for something else.
    """
    register_attributes()
    models = [model] if isinstance(model, str) else list(model or ())
    settings = {"device": device, "precision": precision}
    return AptamrComponent(name, models, settings, {"beam": beam, "detached": detached}, wiki)
