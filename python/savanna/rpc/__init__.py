"""The engine as a process, for programs in any language: JSON-RPC 2.0 on standard input and output.

`savanna engine` runs it, and docs/engine.md describes the protocol. `schema` gives the JSON Schema of all messages.

The modules in the order of reading, each of which uses only those before it: `protocol`, `methods`, `streams`,
`worker`, `watch`, `server`, `schemas`.
"""

from savanna.rpc.protocol import PROTOCOL_VERSION, ErrorCode
from savanna.rpc.schemas import schema
from savanna.rpc.server import serve
from savanna.rpc.streams import GoneError

__all__ = ["PROTOCOL_VERSION", "ErrorCode", "GoneError", "schema", "serve"]
