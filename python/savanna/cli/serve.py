"""`savanna serve`: rooms in which people play in a browser."""

from pathlib import Path
from typing import Annotated

import typer

import savanna as sv
from savanna.cli.app import app, examples
from savanna.cli.options import whole_number

_PORT = typer.Option(parser=whole_number, metavar="N", help="Port, 0 for any that is free.")
_BOTS = typer.Option(parser=whole_number, metavar="N", help="On how many threads bots think.")


@app.command(
    help="Open rooms in which people play in a browser, with each other and with bots.\n\n"
    "It prints where to go. Ctrl-C ends it; all games go on when it is started again.",
    short_help="Let people play in a browser.",
    epilog=examples("savanna serve", "savanna serve --lan", "savanna serve --backup games.sqlite"),
)
def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, _PORT] = 8000,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let others on this network in, and show a code for phones.")
    ] = False,
    public_url: Annotated[str | None, typer.Option(metavar="URL", help="Where a proxy serves it from.")] = None,
    base_path: Annotated[str, typer.Option(metavar="PATH", help="Path before all pages, such as /savanna.")] = "",
    private: Annotated[
        bool | None,
        typer.Option(
            "--private/--open",
            help="Whether only the host opens rooms.  [default: private with --lan or another address, and no URL]",
            show_default=False,
        ),
    ] = None,
    bots: Annotated[int, _BOTS] = 1,
    database: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where games are kept.  [default: in the user's data]")
    ] = None,
    backup: Annotated[Path | None, typer.Option(metavar="FILE", help="Copy the games to a new file, and end.")] = None,
) -> None:
    """Do what `savanna serve` does."""
    try:
        from savanna import serve as server
        from savanna.serve.running import Address, run, usual_database
    except ImportError as error:
        raise sv.SavannaError(f"a web server is missing: pip install 'savanna-core[serve]' ({error})") from None
    file = usual_database() if database is None else database
    if backup is not None:
        server.back_up(file, backup)
        typer.echo(f"Copied to {backup}.")
        return
    address = Address("0.0.0.0" if lan and host == "127.0.0.1" else host, port)
    try:
        with address.bound() as sock:
            own = sock.getsockname()[1]
            settings = server.settings(
                file,
                host=address.host,
                port=own,
                addresses=address.names(),
                public_url=public_url,
                base_path=base_path,
                private=private,
                bots=bots,
            )
            run(settings, sock, address, public_url, typer.echo, with_code=lan)
    except OSError as error:
        raise sv.SavannaError(f"cannot listen on {host}, port {port}: {error.strerror or error}") from None
