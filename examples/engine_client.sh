#!/bin/sh
# Ask `savanna engine` for its move in a view, with only a shell, printf and sed:
#
#     sh examples/engine_client.sh 'seat=0 2p ..../..../..../..../.... mg/?? ????????/???????? 0/0'
#
# SAVANNA is the command to run. Prints the move, or the error in the view.
view=$1
case $view in
*[!-a-zA-Z0-9=./?,:\ ]*) echo "no view has such characters: $view" >&2; exit 2 ;;
esac
rules=${view#* }

request() { # id, method, parameters
    printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\n' "$1" "$2" "$3"
}

{
    request 1 initialize '{"client":"engine_client.sh"}'
    request 2 newGame "{\"rules\":\"${rules%% *}\"}"
    request 3 setView "{\"view\":\"$view\"}"
    request 4 bestMove '{"iterations":2000}'
    request 5 shutdown '{}' # without this, the end of the input would cancel the request before
} | ${SAVANNA:-savanna} engine | sed -n -e 's/.*"message":"\([^"]*\)".*/\1/p' -e 's/.*"move":"\([^"]*\)".*/\1/p' | sed 1q
