"""The models that a browser may choose from: the server's own, and those of training runs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.addresses.parse import Link
from app.kit.own_settings import own_settings
from aptcore.errors import InputError


@dataclass(frozen=True, slots=True)
class Choice:
    """A model to choose; both names are empty for the server's own.

    Attributes:
        run: Name of the training run.
        checkpoint: Which of its models.
    """

    run: str = ""
    checkpoint: str = ""

    @property
    def name(self) -> str:
        """What it is called in a list."""
        from trainer.runs.watching import CHECKPOINTS  # here: no first page needs it

        if not self.run:
            return "The server's model"
        return f"{self.run}: {CHECKPOINTS[self.checkpoint]}"


def choices() -> tuple[Choice, ...]:
    """List the models that there are now: of runs all that can be read, the newest run first."""
    from trainer.runs.folders import runs_folder  # here: no first page needs it
    from trainer.runs.watching import list_runs  # here: no first page needs it

    runs = list_runs(runs_folder())
    return (Choice(), *(Choice(run.name, name) for run in runs for name in run.checkpoints))


def chosen() -> Choice:
    """Give what this browser chose; the server's model where that is no longer there."""
    own = own_settings()
    if not own.run:
        return Choice()
    from trainer.runs.folders import runs_folder  # here: no first page needs it
    from trainer.runs.watching import checkpoint_folder  # here: no first page needs it

    try:
        checkpoint_folder(runs_folder(), own.run, own.checkpoint)
    except InputError:
        return Choice()
    return Choice(own.run, own.checkpoint)


def with_choice(link: Link) -> Link:
    """Let the browser's own model parse where an address names neither run nor model."""
    if link.run is not None or link.model is not None:
        return link
    own = chosen()
    return replace(link, run=own.run or None, checkpoint=own.checkpoint or None)


def is_chosen(link: Link) -> bool:
    """Tell whether a link's run is the one that this browser chose."""
    own = chosen()
    return bool(own.run) and (link.run, link.checkpoint) == (own.run, own.checkpoint)
