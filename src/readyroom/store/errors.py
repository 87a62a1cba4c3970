"""What the store refuses, each in a sentence for the person who asked."""

from __future__ import annotations

from readyroom.engine.errors import ReadyRoomError


class UnknownMatchId(ReadyRoomError):
    """No match of this id is kept."""

    def __init__(self, id: str) -> None:
        super().__init__(f"There is no match {id!r} here. Its link may have lost a letter on the way.")


class UnknownLink(ReadyRoomError):
    """A secret that leads nowhere: it was mistyped, or a newer one has taken its place."""

    def __init__(self, what: str = "link to a seat") -> None:
        super().__init__(f"This {what} is not, or no longer, known here. Ask whoever sent it for a new one.")


class LinkAlreadyUsed(UnknownLink):
    """A link by which somebody has come already."""

    def __init__(self) -> None:
        ReadyRoomError.__init__(
            self,
            "Somebody has come by this link already, and it brings one person. If that was you in another browser, "
            "make a recovery link on your own page there and open it here; otherwise ask whoever sits at that seat "
            "for a link to share it.",
        )


class UnknownPlayer(ReadyRoomError):
    """Nobody of this id is enrolled."""

    def __init__(self) -> None:
        super().__init__("Nobody is enrolled under this name-tag; tell the house your name first.")


class UnknownPerson(UnknownPlayer):
    """Nobody of the id that whoever keeps the house has named is enrolled."""

    def __init__(self, player_id: str) -> None:
        ReadyRoomError.__init__(self, f"Nobody of the id {player_id!r} is enrolled here.")


class NotYourSeat(ReadyRoomError):
    """Something that only whoever sits on a seat, or on one of its side, may do."""


class NotTheHost(ReadyRoomError):
    """Something that only the host of a match may do."""

    def __init__(self, deed: str) -> None:
        super().__init__(f"Only the host of the match may {deed}.")


class SeatTaken(ReadyRoomError):
    """A seat that somebody sits on already, or that is not for everybody."""


class SeatBanned(ReadyRoomError):
    """A seat that whoever keeps the house has banned; its secrets open nothing until that is lifted."""

    def __init__(self, seat: str, why: str) -> None:
        super().__init__(f"The seat of {seat} was banned by whoever keeps this house: {why.rstrip('.')}.")


class NotStarted(ReadyRoomError):
    """The match has not begun: somebody is still awaited."""

    def __init__(self) -> None:
        super().__init__("The match has not begun; it begins when everybody is here, or when its host says so.")


class InvalidSeating(ReadyRoomError):
    """A table whose seats are not told rightly."""


class InvalidText(ReadyRoomError):
    """A name, a message or a note that is empty, too long, or no plain text."""


class NoTakebackRequest(ReadyRoomError):
    """Leave was given to take back what nobody asks to take back any more."""

    def __init__(self) -> None:
        super().__init__("Nobody asks to take anything back here, or the match has gone on since.")


class UnreadableMatch(ReadyRoomError):
    """A kept match that cannot be read here; the others are not touched by it."""

    def __init__(self, id: str, why: str) -> None:
        super().__init__(
            f"Match {id} cannot go on here: {why.rstrip('.')}. Nothing of it is lost: its record is kept, and that of "
            "a match that is over can be downloaded."
        )


class ImportRejected(ReadyRoomError):
    """A record that cannot become a match here; the sentence says why."""


class WriteFailed(ReadyRoomError):
    """The database did not take what was to be written; nothing of it has changed."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The database did not take it, and nothing has changed ({why}). Please try again.")


class UnknownDatabase(ReadyRoomError):
    """An address of a database that the house cannot use."""

    def __init__(self) -> None:
        super().__init__(
            "Matches are kept in SQLite (sqlite:///FILE) or PostgreSQL (postgresql+psycopg://USER@HOST/NAME); "
            "the address that was given is neither."
        )


class NewerDatabase(ReadyRoomError):
    """A database that a newer Ready Room has written."""

    def __init__(self, found: str, known: str) -> None:
        super().__init__(f"This database was written by a newer Ready Room (revision {found}, here {known}).")


class NotEmpty(ReadyRoomError):
    """An archive is only restored into a database that holds nothing yet."""


class InvalidArchive(ReadyRoomError):
    """A file that is no archive of the house, or a damaged one."""
