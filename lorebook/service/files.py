"""
The routes about lorebook and card files: the file is the body of the request, whatever its content type.
"""

from __future__ import annotations

import base64
import json
from pathlib import PurePath
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Depends, Query, Request

from lorebook.formats import find_format
from lorebook.service.requests import Converted
from lorebook.workspace import files
from lorebook.workspace.fileviews import FormatView, InspectView

router = APIRouter()

EXAMPLE = json.dumps(
    {
        "name": "Tide archive",
        "entries": {"0": {"uid": 0, "key": ["salt gate"], "comment": "Gate", "content": "It opens at low water."}},
    }
)
"""A file for the documentation: a lorebook of SillyTavern's."""
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The bytes of the file.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}, "example": EXAMPLE}},
    }
}


async def _body(request: Request) -> bytes:
    return await request.body()


FileBody: TypeAlias = Annotated[bytes, Depends(_body)]
FileName: TypeAlias = Annotated[
    str, Query(description="What the file is called in answers and messages.", examples=["world.json"])
]
ReadAs: TypeAlias = Annotated[
    str | None, Query(alias="from", description="Read it as this format; default: what its content tells.")
]
WriteAs: TypeAlias = Annotated[
    str, Query(description="The new format, by its name in `/v1/formats`.", examples=["card-v3"])
]
WithOrigin: TypeAlias = Annotated[
    bool, Query(description="Whether the original is tucked in, so that the way back restores it.")
]
Strict: TypeAlias = Annotated[
    bool, Query(description="Whether to write to the letter of the specification instead of for the applications.")
]


@router.post("/v1/inspect", openapi_extra=_BODY)
def inspect(data: FileBody, file: FileName = "file", read_as: ReadAs = None) -> InspectView:
    """
    Say what a lorebook or card file is and has in it; the file is the body of the request.
    """
    return files.inspect(files.read_data(data, file, form=read_as), file)


@router.post("/v1/convert", openapi_extra=_BODY)
def convert(
    data: FileBody,
    to: WriteAs,
    file: FileName = "file",
    read_as: ReadAs = None,
    *,
    origin: WithOrigin = True,
    strict_spec: Strict = False,
) -> Converted:
    """
    Convert a lorebook or card file, the body of the request, and name what the new format does not hold.
    """
    form, document = find_format(to, to_write=True), files.read_data(data, file, form=read_as)
    made = files.Conversion(to, origin=origin, strict_spec=strict_spec).of(document, form)
    view = files.view(document, form, made, source=file, target=f"{PurePath(file).stem}{form.suffix}")
    return Converted(view=view, data=base64.b64encode(made.data).decode())


@router.get("/v1/formats")
def formats() -> list[FormatView]:
    """
    List the lorebook and card formats.
    """
    return files.format_views()
