"""What the store refuses, each in a sentence for the person who asked."""

from __future__ import annotations

from readyroom.engine.errors import ReadyRoomError


class UnknownMatchId(ReadyRoomError):
    """No match of this id is kept."""

    def __init__(self, id: str) -> None:
        super().__init__(f"There is no match {id!r} here. Check its link or id.")


class UnknownLink(ReadyRoomError):
    """A secret that leads nowhere: it was mistyped, or a newer one has taken its place."""

    def __init__(self, what: str = "link to a seat") -> None:
        super().__init__(f"This {what} is invalid or no longer works. Ask for a new one.")


class LinkAlreadyUsed(UnknownLink):
    """A link by which someone has come already."""

    def __init__(self) -> None:
        ReadyRoomError.__init__(
            self,
            "This link works only once and was already used. If you used it in another browser, create a recovery link "
            "on your profile there and open it here. Otherwise ask the one who invited you for a new link.",
        )


class LinkReplaced(UnknownLink):
    """A recovery link that was used, or that a newer one has replaced."""

    def __init__(self) -> None:
        ReadyRoomError.__init__(
            self,
            "This recovery link no longer works: it was used, or replaced by a newer one. Use the link that was shown "
            "last, or create another on a device where you are signed in.",
        )


class UnknownPlayer(ReadyRoomError):
    """No one of this id is enrolled."""

    def __init__(self) -> None:
        super().__init__("You are not signed in. Enter a name on your profile page, then try again.")


class UnknownPerson(UnknownPlayer):
    """No player has the id that the admin has given."""

    def __init__(self, player_id: str) -> None:
        ReadyRoomError.__init__(self, f"There is no player with the id {player_id!r}.")


class NotOver(ReadyRoomError):
    """The match is not finished, and this is shown only then."""

    def __init__(self) -> None:
        super().__init__("This is available when the match is over; until then it would reveal hidden information.")


class NotYourSeat(ReadyRoomError):
    """Only players of this seat, or of its side, may do this."""


class NotTheHost(ReadyRoomError):
    """Something that only the host of a match may do."""

    def __init__(self, action: str) -> None:
        super().__init__(f"Only the host of the match can {action}.")


class SeatTaken(ReadyRoomError):
    """A seat that someone sits on already, or that is not for everybody."""


class SeatBanned(ReadyRoomError):
    """An admin has banned the seat; its secrets open nothing until the ban is lifted."""

    def __init__(self, seat: str, why: str) -> None:
        super().__init__(f"The seat {seat} was banned by the server admin: {why.rstrip('.')}.")


class NotStarted(ReadyRoomError):
    """The match has not started: a seat is still empty."""

    def __init__(self) -> None:
        super().__init__("The match has not started. It starts when all seats are filled or the host starts it.")


class InvalidSeating(ReadyRoomError):
    """The assignment of the seats is invalid."""


class InvalidText(ReadyRoomError):
    """A name, a message or a note that is empty, too long, or no plain text."""


class TooManyBotMatches(ReadyRoomError):
    """A limit of matches in which only bots play is reached; `retry_after` is the wait in seconds."""

    retry_after = 60

    def __init__(self, own: int | None = None) -> None:
        if own is None:
            sentence = "The server is playing as many matches between bots as it can. Try again later"
        else:
            sentence = f"You have {own} unfinished matches in which only bots play, which is the limit. Wait for one"
        super().__init__(f"{sentence}, or play a seat yourself.")


class UnknownCampaignId(ReadyRoomError):
    """No campaign of this id is kept."""

    def __init__(self, id: str) -> None:
        super().__init__(f"There is no campaign {id!r} here. The link may be incomplete; copy it again.")


class CampaignRefused(ReadyRoomError):
    """What was wanted is not possible in the campaign now; the message says why."""


class UnknownTournament(ReadyRoomError):
    """No tournament of this id is kept."""

    def __init__(self, id: str) -> None:
        super().__init__(f"There is no tournament {id!r} here. The link may be incomplete; copy it again.")


class TournamentRefused(ReadyRoomError):
    """What was wanted is not possible in the tournament now; the message says why."""


class TooManyTournaments(ReadyRoomError):
    """A player organises as many unfinished tournaments as one may."""

    def __init__(self, most: int) -> None:
        super().__init__(f"You organise {most} unfinished tournaments, which is the limit. Wait for one to end.")


class HelpNotAgreed(ReadyRoomError):
    """A hint or an analysis in a match of several people that was opened without them."""

    def __init__(self) -> None:
        super().__init__(
            "Hints and analysis are not part of this match: people play it, and it was opened without them."
        )


class OrderSealed(ReadyRoomError):
    """A hint, an analysis or a bot that looks ahead in a match whose set-up has a sealed order, which it would know."""

    def __init__(self, what: str = "hint or analysis") -> None:
        super().__init__(f"There is no {what} in this chapter: it would know the other side's sealed order.")


class UnknownOwnScenario(ReadyRoomError):
    """The player has no scenario of this id."""

    def __init__(self) -> None:
        super().__init__("There is no such scenario among yours. It may have been deleted, or belong to someone else.")


class TooManyScenarios(ReadyRoomError):
    """A player has as many scenarios as are kept for one."""

    def __init__(self, most: int) -> None:
        super().__init__(f"You have {most} scenarios, which is the limit. Delete one first.")


class UnknownNotebook(ReadyRoomError):
    """The player has no notebook of this id."""

    def __init__(self) -> None:
        super().__init__("There is no such notebook among yours. It may have been deleted, or belong to someone else.")


class TooManyNotebooks(ReadyRoomError):
    """A player has as many notebooks as are kept for one."""

    def __init__(self, most: int) -> None:
        super().__init__(f"You have {most} notebooks, which is the limit. Delete one first.")


class NoTakebackRequest(ReadyRoomError):
    """Leave was given to take back what no one asks to take back any more."""

    def __init__(self) -> None:
        super().__init__("There is no open takeback request, or the match has continued since.")


class AttemptUnfinished(ReadyRoomError):
    """The player's counted attempt at the challenge of the day, the match of this id, is not finished."""

    def __init__(self, id: str) -> None:
        self.id = id
        super().__init__("Your counted attempt at this challenge is not finished. Finish it first, then practice.")


class DailyLocked(ReadyRoomError):
    """A counted attempt at the challenge of the day allows no help and no change of mind."""

    def __init__(self, what: str) -> None:
        super().__init__(f"This attempt at the challenge of the day counts, so it has no {what}.")


class DaySecret(ReadyRoomError):
    """The match would show the dice of a day that is not over."""

    def __init__(self) -> None:
        super().__init__(
            "This is an attempt at the challenge of the day. Record, replay and dice key are sealed until the day is "
            "over (0:00 UTC); until then only its player can see the match."
        )


class NotInvited(ReadyRoomError):
    """A player answers an invitation that does not exist or is no longer open."""

    def __init__(self) -> None:
        super().__init__("This invitation is no longer open. Its seats were taken, or the match is gone.")


class TooManyFriends(ReadyRoomError):
    """A player has as many friends as the limit allows."""

    def __init__(self, most: int) -> None:
        super().__init__(f"You have {most} friends in your list, which is the limit. Remove one first.")


class TooManyInvitations(ReadyRoomError):
    """A player has as many unanswered invitations as the limit allows."""

    def __init__(self, most: int) -> None:
        super().__init__(f"You have {most} invitations that are not answered. Wait for an answer, or leave one match.")


class CannotClaim(ReadyRoomError):
    """A side cannot claim the win on time."""

    def __init__(self) -> None:
        super().__init__("You can claim the win while your opponent is to decide and only their time is over.")


class CannotResign(ReadyRoomError):
    """A match cannot be resigned now."""

    def __init__(self) -> None:
        super().__init__(
            "You can resign only a match in progress without a result, and none of a campaign or challenge. An umpire "
            "cannot resign."
        )


class NotTheLeader(ReadyRoomError):
    """Another player of the side, in the seat of this name, ends the match for it."""

    def __init__(self, seat: str) -> None:
        super().__init__(f"Only {seat} can end the match for its side. You can leave your seat instead.")


class CannotOfferDraw(ReadyRoomError):
    """A draw cannot be offered now; the sentence says why."""


class NoDrawOffer(ReadyRoomError):
    """There is no open offer of a draw."""

    def __init__(self) -> None:
        super().__init__(
            "There is no open draw offer: it was answered, withdrawn, or ended by the opponent’s decision."
        )


class CannotPass(ReadyRoomError):
    """A seat cannot pass ahead: it has nothing to decide, or must choose something."""

    def __init__(self) -> None:
        super().__init__("You can pass only where nothing has to be chosen.")


class PasskeyRejected(ReadyRoomError):
    """A passkey, or the proof that a browser has it, that is not accepted; the sentence says why."""


class TakebackPending(ReadyRoomError):
    """A second takeback is requested before the first is answered."""

    def __init__(self, who: str) -> None:
        super().__init__(f"{who} has requested a takeback already. It must be answered or cancelled first.")


class UnreadableMatch(ReadyRoomError):
    """A kept match that cannot be read here; the others are not touched by it."""

    def __init__(self, id: str, why: str) -> None:
        super().__init__(
            f"Match {id} cannot continue: {why.rstrip('.')}. Nothing is lost: its record is kept, and the record of "
            "a finished match can be downloaded."
        )


class MatchDamaged(ReadyRoomError):
    """A match whose stored data the server did not write like that: it is quarantined; others are not touched by it."""

    def __init__(self, id: str, why: str) -> None:
        self.id = id
        super().__init__(
            f"Match {id} is damaged: {why}. It is closed until the server admin repairs it; other matches continue."
        )


class ImportRejected(ReadyRoomError):
    """A record that cannot become a match here; the sentence says why."""


class DatabaseInUse(ReadyRoomError):
    """Another server uses the database file; `process` is its process id, if known."""

    def __init__(self, file: str, process: str = "") -> None:
        who = f"Another server (process {process})" if process else "Another server"
        super().__init__(
            f"{who} is using {file}. Stop it first, or use another READYROOM_HOME. Several servers need PostgreSQL."
        )


class WriteFailed(ReadyRoomError):
    """The database did not take what was to be written; nothing of it has changed."""

    def __init__(self, why: str) -> None:
        super().__init__(f"Saving failed and nothing has changed ({why}). Please try again.")


class DatabaseUnreachable(WriteFailed):
    """PostgreSQL does not respond, or lets no one in."""

    def __init__(self, why: str) -> None:
        ReadyRoomError.__init__(
            self,
            f"The database cannot be reached, so nothing has changed ({why.rstrip('.')}). Check READYROOM_DATABASE, "
            "and that PostgreSQL is running.",
        )


class CannotOpen(WriteFailed):
    """The database file cannot be opened, for instance because it belongs to another user."""

    def __init__(self, file: str) -> None:
        ReadyRoomError.__init__(
            self,
            f"{file} may not be read or written by this user, so nothing has changed. Run this as the owner of the "
            "folder, change the owner, or set READYROOM_HOME.",
        )


class StorageFull(WriteFailed):
    """The disk of the database is full, or the system lets its file grow no further."""

    def __init__(self) -> None:
        ReadyRoomError.__init__(
            self,
            "The server's disk is full, so this was not saved. Nothing that was confirmed is lost. Try again later.",
        )


class DamagedDatabase(WriteFailed):
    """The database file is damaged; `why` is what SQLite says."""

    def __init__(self, why: str) -> None:
        self.why = f"the database file is damaged ({why})"
        ReadyRoomError.__init__(
            self,
            f"The database file is damaged ({why}). `readyroom admin check` lists the matches that are whole; "
            "`readyroom restore` restores a backup into a new file.",
        )


class OtherKey(ReadyRoomError):
    """The matches are sealed with another key than this server's."""

    def __init__(self) -> None:
        super().__init__(
            "The matches of this database are sealed with another key. Set READYROOM_SECRET to the old value, or "
            "restore the file web.key. If the key is lost, run `readyroom admin seal`, or `readyroom restore --seal` "
            "for a backup: this accepts the matches as they are."
        )


class UnknownDatabase(ReadyRoomError):
    """An address of a database that the server cannot use."""

    def __init__(self) -> None:
        super().__init__(
            "The address must be of SQLite (sqlite:///FILE) or PostgreSQL (postgresql+psycopg://USER@HOST/NAME)."
        )


class NewerDatabase(ReadyRoomError):
    """A database that a newer Ready Room has written."""

    def __init__(self, name: str, known: str) -> None:
        super().__init__(f"This database belongs to a newer Ready Room (revision {name}, supported {known}).")


class OlderDatabase(ReadyRoomError):
    """A database that an older Ready Room has written, and that only a server migrates."""

    def __init__(self, name: str, known: str) -> None:
        super().__init__(
            f"This database is of an older version (revision {name}, needed {known}). Start `readyroom serve`: it "
            "backs the database up and migrates it."
        )


class NoDatabase(ReadyRoomError):
    """There is no database where one was expected."""

    def __init__(self, place: str) -> None:
        super().__init__(
            f"There is no database at {place}. Set READYROOM_HOME, READYROOM_DATABASE and READYROOM_SECRET as for the "
            "server, or start `readyroom serve`, which creates one."
        )


class NotUnicode(ReadyRoomError):
    """A PostgreSQL database that cannot hold all characters."""

    def __init__(self, encoding: str) -> None:
        super().__init__(
            f"The database has the encoding {encoding}, and must have UTF8: create it with "
            "`createdb --encoding=UTF8 --template=template0 NAME`."
        )


class NotEmpty(ReadyRoomError):
    """An archive is only restored into a database that holds nothing yet."""


class InvalidArchive(ReadyRoomError):
    """A file that is no archive of the server, or a damaged one."""
