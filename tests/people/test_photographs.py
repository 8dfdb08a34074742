"""A photograph that comes in is known by its content, and what is kept of it is small, upright, and says nothing else."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from cardroom.people import photographs
from cardroom.people.photographs import SIDE, PhotoRefused, photograph_read


def written(image: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def kept(given: bytes) -> Image.Image:
    return Image.open(io.BytesIO(photograph_read(given)))


def refused(given: bytes) -> str:
    with pytest.raises(PhotoRefused) as refusal:
        photograph_read(given)
    return refusal.value.code


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photograph_is_kept_small_whatever_kind_it_comes_as(kind: str) -> None:
    picture = kept(written(Image.new("RGB", (1200, 900), (200, 30, 30)), kind))
    assert (picture.format, picture.size) == ("JPEG", (SIDE, 300))
    red, green, blue = picture.getpixel((200, 150))  # type: ignore[misc]  # an RGB image
    assert red > 180 and green < 60 and blue < 60


def test_it_stands_upright_and_what_else_is_in_the_file_is_left_behind() -> None:
    lies = Image.new("RGB", (300, 200), "white")
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned by a quarter
    exif[0x010F] = "Camera of Zebulon"
    given = written(lies, "JPEG", exif=exif, comment=b"Zebulon Quist", icc_profile=b"profile of Zebulon")
    assert given.count(b"Zebulon") == 3
    assert kept(given).size == (200, 300)
    assert b"Zebulon" not in photograph_read(given)
    assert not kept(given).getexif()


def test_what_shows_through_is_white() -> None:
    assert kept(written(Image.new("RGBA", (64, 64), (0, 0, 0, 0)), "PNG")).getpixel((30, 30)) == (255,) * 3


def test_what_is_no_photograph_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = written(Image.effect_noise((200, 200), 60), "PNG")
    gif = written(Image.new("L", (64, 64)), "GIF")
    for given in (
        b"",
        b"RIFF",
        b"%PDF-1.7 %%EOF",
        gif,
        whole[:8],
        whole[: len(whole) // 2],
        b"\xff\xd8\xff" + gif,
    ):
        assert refused(given) == "not_a_photo"
    assert refused(written(Image.new("L", (31, 400)), "PNG")) == "photo_too_small"
    monkeypatch.setattr(photographs, "MOST_POINTS", 39_999)
    assert refused(whole) == "photo_too_large"
    monkeypatch.setattr(photographs, "MOST_BYTES", len(whole) - 1)
    assert refused(whole) == "photo_too_large"
